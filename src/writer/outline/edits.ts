import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Line } from '../reading/hunks.ts'
import { changedLines } from './citations.ts'

/** A change of a single line: null where there is none on that side. */
export interface Edit {
  before: string | null
  after: string | null
}

const MAX_CHANGED_LINES = 6
const LONGEST = 90
const SHOWN_BEFORE_THE_DIFFERENCE = 30

/** The lines of a change that is small enough to be shown. */
export function smallEdits({ additions, deletions, hunks, status }: ChangedFile): Edit[] {
  if (status === 'added' || status === 'removed' || additions + deletions > MAX_CHANGED_LINES) return []
  // A patch can hold more lines than the code host counts.
  if (hunks.reduce((sum, hunk) => sum + changedLines(hunk), 0) > MAX_CHANGED_LINES) return []
  return hunks.flatMap(({ lines }) => groupsOf(lines)).flatMap(editOf)
}

/** Changed lines without an unchanged one between. */
function groupsOf(lines: Line[]): Line[][] {
  const groups: Line[][] = []
  for (const [at, line] of lines.entries()) {
    if (line.sign === ' ') continue
    const before = lines[at - 1]
    if (before && before.sign !== ' ') groups.at(-1)?.push(line)
    else groups.push([line])
  }
  return groups
}

function editOf(group: Line[]): Edit[] {
  const removed = group.filter(({ sign }) => sign === '-')
  const added = group.filter(({ sign }) => sign === '+')
  if (removed.length > 1 || added.length > 1) return []
  const edit = excerpt(removed[0]?.text.trim() || null, added[0]?.text.trim() || null)
  return edit.before === edit.after ? [] : [edit]
}

/** Of long lines, the part around the first difference. */
function excerpt(before: string | null, after: string | null): Edit {
  if (before === null || after === null) return { before, after }
  if (before.length <= LONGEST && after.length <= LONGEST) return { before, after }
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const start = Math.max(0, same - SHOWN_BEFORE_THE_DIFFERENCE)
  return { before: part(before, start), after: part(after, start) }
}

function part(text: string, start: number): string {
  const end = start + LONGEST
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`
}
