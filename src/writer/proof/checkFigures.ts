import type { DraftFigure, DraftSide, Example, LineRange, Table } from '../draft.ts'
import type { AnsweredFigure, AnsweredSide } from '../prompts/answerTypes.ts'
import { COUNTS } from '../prompts/lengths.ts'
import type { Side } from '../reading/hunks.ts'
import { cleanProse } from './checkMarkdown.ts'
import { textErrors } from './checkText.ts'
import { provenCitation } from './citable.ts'
import { unknownNames } from './exampleNames.ts'
import { linesBetween } from './shownLines.ts'
import type { Item, Standards } from './standards.ts'

/** Some more than the instructions ask for: a figure of 20 lines is better than none. */
const MAX_CODE_LINES = COUNTS.codeLines + 6
const MAX_RANGES = 6
const MAX_EXAMPLE = 1500
const MAX_CAPTION = 400
const MAX_COLUMNS = 5
const MAX_ROWS = 12
const EMPTY = { code: null, example: null, table: null }

/** Fills in the lines of a figure, or tells why it cannot be shown. */
export async function checkFigure(figure: AnsweredFigure, standards: Standards): Promise<Item<DraftFigure>> {
  const { kind, code, example, table } = figure
  // Some models fill another member than the kind they name.
  if (code && (kind === 'code' || (!example && !table))) return checkCode(code, standards)
  if (example && (kind === 'example' || !table)) return checkExample(example, standards)
  if (table) return checkTable(table, standards)
  return { proven: null, errors: [`a figure of the kind ${kind} holds nothing`] }
}

async function checkCode(code: NonNullable<AnsweredFigure['code']>, standards: Standards): Promise<Item<DraftFigure>> {
  const before = code.before && sideOf(code.before, 'old', standards)
  const after = code.after && sideOf(code.after, 'new', standards)
  const caption = captionOf(code.caption, standards)
  const errors = await textErrors(caption, standards)
  const shown = { before: before?.proven ?? null, after: after?.proven ?? null, caption }
  if (!shown.before && !shown.after)
    errors.push(...(before?.errors ?? []), ...(after?.errors ?? []), 'a code figure shows no line')
  return { proven: errors.length > 0 ? null : { ...EMPTY, kind: 'code', code: shown }, errors }
}

function sideOf({ path, ranges }: AnsweredSide, side: Side, { citable, lines }: Standards): Item<DraftSide> {
  const name = path.trim()
  const ordered = joined(ranges.toSorted((a, b) => a.startLine - b.startLine))
  const errors = ordered.flatMap((range) => {
    const citation = provenCitation(citable, { path: name, side, ...range })
    return typeof citation === 'string' ? [`a figure: ${citation}`] : []
  })
  const shown = ordered.flatMap(({ startLine, endLine }) =>
    linesBetween(lines.get(name) ?? [], side, startLine, endLine),
  )
  if (shown.length > MAX_CODE_LINES || ordered.length > MAX_RANGES)
    errors.push(`a figure shows ${shown.length} lines; choose at most ${COUNTS.codeLines}`)
  if (shown.every(({ text }) => text.trim() === '')) errors.push('a figure shows no text')
  const file = citable.files.get(name)
  const proven = errors.length > 0 || !file ? null : { path: file.path, ranges: ordered, lines: shown }
  return { proven, errors }
}

/** Joins ranges that touch or overlap. */
function joined(ranges: LineRange[]): LineRange[] {
  const result: LineRange[] = []
  for (const { startLine, endLine } of ranges) {
    const last = result.at(-1)
    if (last && startLine <= last.endLine + 1) last.endLine = Math.max(last.endLine, endLine)
    else result.push({ startLine, endLine })
  }
  return result
}

async function checkExample(example: Example, standards: Standards): Promise<Item<DraftFigure>> {
  const text = example.text.replace(/^```.*\n|\n?```\s*$/g, '').trimEnd()
  const note = captionOf(example.note, standards)
  const errors = await textErrors(note, standards)
  if (text.trim() === '' || text.length > MAX_EXAMPLE) errors.push('an example is empty or too long')
  const unknown = unknownNames(text.slice(0, MAX_EXAMPLE), standards)
  if (unknown.length > 0)
    errors.push(`an example holds names that nothing shown contains: ${unknown.slice(0, 5).join(', ')}`)
  const language = example.language.trim().slice(0, 30)
  return { proven: errors.length > 0 ? null : { ...EMPTY, kind: 'example', example: { language, text, note } }, errors }
}

async function checkTable(table: Table, standards: Standards): Promise<Item<DraftFigure>> {
  const clean = (text: string) => cleanProse(text, standards.hostPrUrl)
  const columns = table.columns.map(clean)
  const rows = table.rows.map((row) => row.map(clean))
  const caption = captionOf(table.caption, standards)
  const errors = await textErrors([caption, ...columns, ...rows.flat()].join('\n\n').slice(0, 8000), standards)
  if (columns.length < 2 || columns.length > MAX_COLUMNS) errors.push(`a table has 2 to ${MAX_COLUMNS} columns`)
  if (rows.length === 0 || rows.length > MAX_ROWS) errors.push(`a table has 1 to ${MAX_ROWS} rows`)
  if (rows.some((row) => row.length !== columns.length))
    errors.push('a row of a table has not one cell for each column')
  if ([...columns, ...rows.flat()].some((cell) => cell.length > 200)) errors.push('a cell of a table is too long')
  return { proven: errors.length > 0 ? null : { ...EMPTY, kind: 'table', table: { caption, columns, rows } }, errors }
}

function captionOf(text: string, { hostPrUrl }: Standards): string {
  return cleanProse(text, hostPrUrl).slice(0, MAX_CAPTION).toWellFormed()
}
