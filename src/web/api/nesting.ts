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

/** Whether parsed JSON has more than `max` members and items at all depths together. */
export function hasMoreValuesThan(max: number, json: unknown): boolean {
  const open = [json]
  for (let seen = 0; open.length > 0; ) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const name in value) {
      seen += 1
      if (seen > max) return true
      open.push((value as Record<string, unknown>)[name])
    }
  }
  return false
}
