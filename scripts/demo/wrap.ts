/** Letters that take two columns and between which a line may break: those of Chinese, Japanese and Korean. */
const WIDE =
  '[\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6]'
/** Marks that never begin a line. */
const CLOSING = '[、。，．・：；？！」』）】〉》’”ー]*'
const PIECES = new RegExp(`${WIDE}${CLOSING}|(?:(?!${WIDE})\\S)+|\\s+`, 'gu')
const wide = new RegExp(WIDE, 'gu')

/** Lines of at most so many columns, each after the indent; line breaks of the text stay. */
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

function columnsOf(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0)
}
