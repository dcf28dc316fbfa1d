import { columnsOf, WIDE } from './columns.ts'

/** Characters that must not start a line. */
const CLOSING = '[、。，．・：；？！」』）】〉》’”ー]*'
const PIECES = new RegExp(`${WIDE}${CLOSING}|(?:(?!${WIDE})\\S)+${CLOSING}|\\s+`, 'gu')

/**
 * Wraps a text to this many columns after the indent and keeps its line breaks. A line may break between wide
 * characters.
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
