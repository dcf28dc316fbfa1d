/** A line of text in the search for private keys. */
export interface Row {
  start: number
  text: string
  /** The base64 in a line that otherwise contains only quoting and indentation; undefined for other lines. */
  body: { start: number; length: number } | undefined
  /** The index of the next row without such base64. */
  endOfRun: number
}

const MARKS_BEFORE = /(?:[\s>#*|"'`(]|\/\/|--){0,40}/y
const BASE64 = /[A-Za-z0-9+/=]*/y
const AFTER_BASE64 = /(?:\\[nr]){0,2}(?:["'`][\s+,;.)\\]{0,10}|[\s,;\\]{0,10})$/y
const MAX_BODY = 10_000

export function rowsOf(text: string): Row[] {
  let start = 0
  const rows = text.split('\n').map((line, i) => {
    const row: Row = { start, text: line, body: bodyOf(line), endOfRun: i }
    start += line.length + 1
    return row
  })
  let endOfRun = rows.length
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const row = rows[i] as Row
    if (!row.body) endOfRun = i
    row.endOfRun = endOfRun
  }
  return rows
}

function bodyOf(line: string): Row['body'] {
  const marks = endOf(MARKS_BEFORE, line, 0)
  // Slashes can be comment marks or base64. On a line that contains only marks, the last two slashes count as base64.
  const start = endOf(BASE64, line, marks) > marks ? marks : line.lastIndexOf('//', marks - 2)
  if (start === -1) return undefined
  const end = endOf(BASE64, line, start)
  const length = end - start
  return length <= MAX_BODY && endOf(AFTER_BASE64, line, end) !== -1 ? { start, length } : undefined
}

function endOf(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(line) ? pattern.lastIndex : -1
}

export function bodyTextOf({ text, body }: Row): string {
  return body ? text.slice(body.start, body.start + body.length) : ''
}
