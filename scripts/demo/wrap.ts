import { columnsOf, WIDE } from './columns.ts'

/** Marks that never begin a line. */
const CLOSING = '[、。，．・：；？！」』）】〉》’”ー]*'
const PIECES = new RegExp(`${WIDE}${CLOSING}|(?:(?!${WIDE})\\S)+${CLOSING}|\\s+`, 'gu')

/**
 * Lines of at most so many columns, each after the indent; line breaks of the text stay. Between wide letters a line may
 * break.
 */
export function wrap(text: string, columns: number, indent = ''): string {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => broken(line, columns - indent.length))
    .map((line) => (indent + line).trimEnd())
    .join('\n')
}

function broken(line: string, columns: number): string[] {
  const lines = ['']
  for (const piece of line.match(PIECES) ?? []) {
    const current = lines.at(-1) ?? ''
    if (current && columnsOf(current + piece.trimEnd()) > columns) lines.push(piece.trimStart())
    else lines[lines.length - 1] = current + piece
  }
  return lines
}
