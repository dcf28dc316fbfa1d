import { withoutInvisible } from '../../src/writer/reading/visible.ts'
import { columnsOf, fitted, pageColumns } from '../terminal/columns.ts'

const GAP = '  '
const MIN_COLUMNS = 12
/** Control characters that JSON does not escape, although a terminal may act on them. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu

/** Puts an untrusted text on one line, without characters that control a terminal or change the direction of text. */
export function plain(text: string): string {
  return withoutInvisible(text).replace(/\s+/g, ' ').trim()
}

/** Like `plain`, but keeps line breaks. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n')
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNESCAPED, (character) =>
    Array.from({ length: character.length }, (_, i) => escaped(character.charCodeAt(i))).join(''),
  )
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/** A time to the minute, in UTC. */
export function time(at: Date | null): string {
  return at?.toISOString().slice(0, 16).replace('T', ' ') ?? '-'
}

const UNITS: [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
]

/** How long ago a time was, in the largest unit that fits. */
export function age(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000))
  const [name, length] = UNITS.find(([, unit]) => seconds >= unit) ?? ['s', 1]
  return `${Math.floor(seconds / length)} ${name}`
}

export function count(value: number): string {
  return value.toLocaleString('en')
}

/**
 * A table that fits the terminal. Numbers are aligned right; the widest column is cut if there is no room, except for
 * those in `whole`, which hold what other commands take.
 */
export function table(head: string[], rows: string[][], whole: string[] = []): string {
  if (rows.length === 0) return 'None.'
  const cells = [head, ...rows.map((row) => row.map(plain))]
  const isNumber = head.map((_, i) => rows.every((row) => /^[\d,.]+$/.test(row[i] ?? '')))
  const widths = fittingWidths(
    head.map((_, i) => Math.max(...cells.map((row) => columnsOf(row[i] ?? '')))),
    head.map((name) => !whole.includes(name)),
  )
  const lines = cells.map((row) => row.map((cell, i) => cellOf(cell, widths[i] ?? 0, isNumber[i])))
  return lines.map((line) => line.join(GAP).trimEnd()).join('\n')
}

function fittingWidths(widths: number[], mayBeCut: boolean[]): number[] {
  const total = widths.reduce((sum, width) => sum + width, 0)
  const cuttable = widths.map((width, i) => (mayBeCut[i] ? width : 0))
  const widest = Math.max(...cuttable)
  if (total + GAP.length * (widths.length - 1) <= pageColumns() || widest <= MIN_COLUMNS) return widths
  return fittingWidths(widths.with(cuttable.indexOf(widest), widest - 1), mayBeCut)
}

function cellOf(cell: string, width: number, isNumber = false): string {
  return isNumber ? cell.padStart(width) : fitted(cell, width)
}
