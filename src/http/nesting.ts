/** More than any body has; parsing what is nested without end keeps everybody else waiting. */
const DEEPEST = 32

/** Whether JSON nests deeper than any body does, told without parsing it. */
export function isNestedTooDeep(json: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (isText) {
      if (character === '\\') at += 1
      else isText = character !== '"'
    } else if (character === '"') isText = true
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}
