/** Deeper than any valid body. Parsing extremely nested JSON would block the event loop. */
const MAX_DEPTH = 32

/** Whether JSON is nested deeper than any valid body, found without parsing it. */
export function isNestedTooDeep(json: string): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (isInString) {
      if (character === '\\') index += 1
      else isInString = character !== '"'
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}
