import type { Line } from '../reading/hunks.ts'
import { nameIn } from './symbols.ts'

/**
 * The lines of a hunk that a figure shows: either only changed lines, or also unchanged ones. Unchanged lines are in
 * both `old` and `new`, so that readers can tell them from changed ones.
 */
export interface Span {
  /** The index of the first shown line in the hunk. */
  start: number
  old: Line[]
  new: Line[]
}

/** Indexes into the lines of a hunk; the end is exclusive. */
interface Range {
  start: number
  end: number
}

const MAX_LINES = 14
const CONTEXT_LINES = 2
/** A shorter run of lines that were only added or only removed is shown with the unchanged lines around it. */
const MIN_LINES_ALONE = 5
const DOCUMENTATION = /^\s*(?:\/\/|\/\*|\*|#|@)/
const MAX_DOCUMENTATION_LINES = 5

/** The biggest run of changed lines, with as much around it as fits; null without changed lines. */
export function shownSpan(lines: Line[]): Span | null {
  const runs = runsOf(lines)
  const [first, ...others] = runs
  if (!first) return null
  const biggest = others.reduce((big, run) => (sizeOf(run) > sizeOf(big) ? run : big), first)
  if (isAlone(lines, biggest) || !fits(lines, biggest)) return changedLinesOf(lines, biggest)
  const { start, end } = withContext(lines, withNeighbours(lines, runs, biggest))
  const excerpt = lines.slice(start, end)
  return { start, old: excerpt.filter(({ old }) => old !== null), new: excerpt.filter((line) => line.new !== null) }
}

function sizeOf({ start, end }: Range): number {
  return end - start
}

function isAlone(lines: Line[], run: Range): boolean {
  const sign = lines[run.start]?.sign
  return sizeOf(run) >= MIN_LINES_ALONE && lines.slice(run.start, run.end).every((line) => line.sign === sign)
}

/** Runs of adjacent changed lines. */
function runsOf(lines: Line[]): Range[] {
  const runs: Range[] = []
  for (const [at, { sign }] of lines.entries()) {
    if (sign === ' ') continue
    const last = runs.at(-1)
    if (last?.end === at) last.end = at + 1
    else runs.push({ start: at, end: at + 1 })
  }
  return runs
}

function fits(lines: Line[], range: Range): boolean {
  if (sizeOf(range) > 2 * MAX_LINES) return false
  const excerpt = lines.slice(range.start, range.end)
  return (['old', 'new'] as const).every((side) => excerpt.filter((line) => line[side] !== null).length <= MAX_LINES)
}

/** Extends a range to the runs of changed lines before and after it, as long as they fit. */
function withNeighbours(lines: Line[], runs: Range[], run: Range): Range {
  const at = runs.indexOf(run)
  let range = run
  for (const { end } of runs.slice(at + 1)) {
    if (!fits(lines, { ...range, end })) break
    range = { ...range, end }
  }
  for (const { start } of runs.slice(0, at).reverse()) {
    if (!fits(lines, { ...range, start })) break
    range = { ...range, start }
  }
  return range
}

function withContext(lines: Line[], given: Range): Range {
  let range = given
  for (let i = 0; i < CONTEXT_LINES; i++) {
    const above = { ...range, start: range.start - 1 }
    if (lines[above.start]?.sign === ' ' && fits(lines, above)) range = above
    const below = { ...range, end: range.end + 1 }
    if (lines[range.end]?.sign === ' ' && fits(lines, below)) range = below
  }
  return range
}

/** The changed lines of a run, as many as fit. */
function changedLinesOf(lines: Line[], { start, end }: Range): Span {
  const run = lines.slice(start, end)
  const removed = run.filter(({ sign }) => sign === '-')
  const added = run.filter(({ sign }) => sign === '+')
  const from = removed.length > 0 && added.length > 0 ? 0 : firstShown(run)
  return { start: start + from, old: removed.slice(from, from + MAX_LINES), new: added.slice(from, from + MAX_LINES) }
}

/**
 * Where to start showing code that was only added or only removed: at its first definition, below licenses and imports.
 */
function firstShown(lines: Line[]): number {
  return Math.min(firstDefinition(lines), Math.max(0, lines.length - MAX_LINES))
}

/** The index of the first definition, or of the comments right above it. */
function firstDefinition(lines: Line[]): number {
  const definition = lines.findIndex(({ text }) => nameIn(text) !== undefined)
  if (definition === -1) return 0
  let first = definition
  while (definition - first < MAX_DOCUMENTATION_LINES && DOCUMENTATION.test(lines[first - 1]?.text ?? '')) first -= 1
  return first
}
