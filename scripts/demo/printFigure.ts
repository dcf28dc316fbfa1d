import { styleText } from 'node:util'
import type { Schemas } from './api.ts'

type Figure = Schemas['Figure']
type Side = NonNullable<Schemas['CodeSide']>

/** The lines of a figure, for a terminal. */
export function printedFigure({ code, example, table }: Figure, indent: string): string[] {
  if (code)
    return [
      ...(code.before ? sideLines(code.before, '-', indent) : []),
      ...(code.after ? sideLines(code.after, '+', indent) : []),
    ]
  if (example)
    return [`${indent}Example (an illustration):`, ...example.text.split('\n').map((line) => `${indent}  ${line}`)]
  return table ? [table.columns, ...table.rows].map((row) => indent + row.join(' | ')) : []
}

/** Marks lines that were left out between two shown ones. */
function sideLines({ lines }: Side, mark: '-' | '+', indent: string): string[] {
  const width = String(lines.at(-1)?.number ?? '').length
  return lines.flatMap(({ number, text }, i) => {
    const before = lines[i - 1]
    const gap = before && number > before.number + 1 ? [`${indent}${'…'.padStart(width)}`] : []
    const line = `${indent}${String(number).padStart(width)} ${mark} ${text}`
    return [...gap, styleText(mark === '-' ? 'red' : 'green', line)]
  })
}
