import type { DraftFigure, DraftSide } from '../draft.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Hunk, Line, Side } from '../reading/hunks.ts'
import { visible } from '../reading/visible.ts'
import { biggestHunks } from './citations.ts'
import { type Span, shownSpan } from './spans.ts'
import { enclosingName } from './symbols.ts'
import { code } from './text.ts'

const MAX_CHARACTERS = 400

/** Shows the biggest hunks of a file before and after the change. Secrets in the hunks must already be masked. */
export function figuresOf(file: ChangedFile, max: number): DraftFigure[] {
  return biggestHunks(file, max).flatMap((hunk) => {
    const span = shownSpan(hunk.lines)
    return span ? figureOf(file, hunk, span) : []
  })
}

function figureOf(file: ChangedFile, hunk: Hunk, span: Span): DraftFigure[] {
  const [before, after] = [sideOf(file, span.old, 'old'), sideOf(file, span.new, 'new')]
  // Skip a hunk that changes only line ends, which are invisible: both sides would look the same.
  if ((!before && !after) || textOf(before) === textOf(after)) return []
  const caption = file.kind === 'docs' ? '' : code(enclosingName(hunk, span.start) ?? '')
  return [{ kind: 'code', before, after, caption }]
}

function sideOf({ path }: ChangedFile, given: Line[], side: Side): DraftSide | null {
  const lines = withoutBlankEnds(given).map((line) => ({ number: line[side] ?? 0, text: shown(line.text) }))
  const [first, last] = [lines[0], lines.at(-1)]
  return first && last ? { path, ranges: [{ startLine: first.number, endLine: last.number }], lines } : null
}

function withoutBlankEnds(lines: Line[]): Line[] {
  const isText = ({ text }: Line) => text.trim() !== ''
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1)
}

function shown(text: string): string {
  const line = visible(text.slice(0, MAX_CHARACTERS + 2).replace(/\r$/, ''))
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : line
}

function textOf(side: DraftSide | null): string {
  return side?.lines.map(({ text }) => text).join('\n') ?? ''
}
