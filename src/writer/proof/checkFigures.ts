import { clip } from '../../lib/clip.ts'
import { MAX_CHARACTERS, MAX_ITEMS, MIN_ITEMS, type TextField } from '../contractLimits.ts'
import type { DraftFigure, DraftSide, LineRange } from '../draft.ts'
import type { AnsweredExample, AnsweredFigure, AnsweredSide, AnsweredTable } from '../prompts/answerTypes.ts'
import { COUNTS } from '../prompts/lengths.ts'
import type { Side } from '../reading/hunks.ts'
import { withoutInvisible } from '../reading/visible.ts'
import type { CheckContext, Item } from './checkContext.ts'
import { cleanProse } from './checkMarkdown.ts'
import { formErrors, languageErrors, textErrors } from './checkText.ts'
import { provenCitation } from './citable.ts'
import { unknownNames } from './exampleNames.ts'
import { repeats } from './repeats.ts'
import { linesBetween } from './shownLines.ts'

/** A few more lines than the instructions ask for, because a figure of 20 lines is better than none. */
const MAX_CODE_LINES = COUNTS.codeLines + 6

/** Fills in the lines of a figure, or tells why it cannot be shown. */
export async function checkFigure(figure: AnsweredFigure, context: CheckContext): Promise<Item<DraftFigure>> {
  const { kind, before, after, example, table } = figure
  // Some models fill another field than the one that `kind` names.
  if ((before || after) && (kind === 'code' || (!example && !table))) return checkCode(figure, context)
  if (example && (kind === 'example' || !table)) return checkExample(example, context)
  if (table) return checkTable(table, context)
  return { proven: null, errors: [`a figure of the kind ${kind} holds nothing`] }
}

async function checkCode(code: AnsweredFigure, context: CheckContext): Promise<Item<DraftFigure>> {
  const before = code.before && checkSide(code.before, 'old', context)
  const after = code.after && checkSide(code.after, 'new', context)
  const caption = captionOf(code.caption, 'codeCaption', context)
  const errors = await textErrors(caption, context)
  const figure: DraftFigure = { kind: 'code', before: before?.proven ?? null, after: after?.proven ?? null, caption }
  if (!figure.before && !figure.after)
    errors.push(...(before?.errors ?? []), ...(after?.errors ?? []), 'a code figure shows no line')
  return { proven: errors.length > 0 ? null : figure, errors }
}

function checkSide({ path, ranges }: AnsweredSide, side: Side, { citable, lines }: CheckContext): Item<DraftSide> {
  const name = path.trim()
  const ordered = joined(ranges.toSorted((a, b) => a.startLine - b.startLine))
  const errors = ordered.flatMap((range) => {
    const citation = provenCitation(citable, { path: name, side, ...range })
    return typeof citation === 'string' ? [`a figure: ${citation}`] : []
  })
  const selection = ordered.flatMap(({ startLine, endLine }) =>
    linesBetween(lines.get(name) ?? [], side, startLine, endLine),
  )
  if (selection.length > MAX_CODE_LINES || ordered.length > MAX_ITEMS.ranges)
    errors.push(`a figure shows ${selection.length} lines; choose at most ${COUNTS.codeLines}`)
  if (selection.every(({ text }) => text.trim() === '')) errors.push('a figure shows no text')
  const file = citable.files.get(name)
  const proven = errors.length > 0 || !file ? null : { path: file.path, ranges: ordered, lines: selection }
  return { proven, errors }
}

/** Merges ranges that touch or overlap. */
function joined(ranges: LineRange[]): LineRange[] {
  const result: LineRange[] = []
  for (const { startLine, endLine } of ranges) {
    const last = result.at(-1)
    if (last && startLine <= last.endLine + 1) last.endLine = Math.max(last.endLine, endLine)
    else result.push({ startLine, endLine })
  }
  return result
}

async function checkExample(example: AnsweredExample, context: CheckContext): Promise<Item<DraftFigure>> {
  const text = withoutInvisible(example.text)
    .replace(/^```.*\n|\n?```\s*$/g, '')
    .trimEnd()
  const note = captionOf(example.note, 'exampleNote', context)
  const errors = await textErrors(note, context)
  const language = clip(example.language.trim(), MAX_CHARACTERS.exampleLanguage).text
  const checked = clip(text, MAX_CHARACTERS.exampleText)
  if (text.trim() === '' || checked.truncated) errors.push('an example is empty or too long')
  if (repeats(checked.text, context.instructions)) errors.push('it repeats the instructions')
  const unknown = unknownNames({ text: checked.text, language }, context)
  if (unknown.length > 0)
    errors.push(`an example holds names that nothing shown contains: ${unknown.slice(0, 5).join(', ')}`)
  const proven: DraftFigure = { kind: 'example', codeLanguage: language, text, note }
  return { proven: errors.length > 0 ? null : proven, errors }
}

async function checkTable(table: AnsweredTable, context: CheckContext): Promise<Item<DraftFigure>> {
  // Check the size first, because it limits the number of texts to check.
  const sizes = sizeErrors(table)
  if (sizes.length > 0) return { proven: null, errors: sizes }
  const clean = (text: string) => cleanProse(text, context.hostPrUrl)
  const columns = table.columns.map(clean)
  const rows = table.rows.map((row) => row.map(clean))
  const caption = captionOf(table.caption, 'tableCaption', context)
  const cells = rows.flat()
  if (columns.some(isLongerThan('column')) || cells.some(isLongerThan('cell')))
    return { proven: null, errors: ['a cell of a table is too long'] }
  const texts = [caption, ...columns, ...cells]
  const errors = new Set(texts.flatMap((text) => formErrors(text, context)))
  for (const error of await languageErrors(texts.join('\n\n'), context)) errors.add(error)
  const proven: DraftFigure = { kind: 'table', caption, columns, rows }
  return { proven: errors.size > 0 ? null : proven, errors: [...errors] }
}

function sizeErrors({ columns, rows }: AnsweredTable): string[] {
  const errors: string[] = []
  if (columns.length < MIN_ITEMS.columns || columns.length > MAX_ITEMS.columns)
    errors.push(`a table has ${MIN_ITEMS.columns} to ${MAX_ITEMS.columns} columns`)
  if (rows.length < MIN_ITEMS.rows || rows.length > MAX_ITEMS.rows)
    errors.push(`a table has ${MIN_ITEMS.rows} to ${MAX_ITEMS.rows} rows`)
  if (rows.some((row) => row.length !== columns.length))
    errors.push('a row of a table has not one cell for each column')
  return errors
}

function isLongerThan(field: TextField) {
  return (text: string) => text.length > MAX_CHARACTERS[field]
}

function captionOf(text: string, field: TextField, { hostPrUrl }: CheckContext): string {
  return clip(cleanProse(text, hostPrUrl), MAX_CHARACTERS[field]).text
}
