import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Line } from '../reading/hunks.ts'
import { changedLines } from './citations.ts'

/** The change of a single line; null on a side where the line does not exist. */
export interface Edit {
  before: string | null
  after: string | null
}

const MAX_CHANGED_LINES = 6
const MAX_LENGTH = 90
const CONTEXT_BEFORE_DIFFERENCE = 30

/** The edits of a file, if the change is small enough to be shown. */
export function smallEdits({ additions, deletions, hunks, status }: ChangedFile): Edit[] {
  if (status === 'added' || status === 'removed' || additions + deletions > MAX_CHANGED_LINES) return []
  // A patch can contain more lines than the code host counts.
  if (hunks.reduce((sum, hunk) => sum + changedLines(hunk), 0) > MAX_CHANGED_LINES) return []
  return hunks.flatMap(({ lines }) => groupsOf(lines)).flatMap(editOf)
}

/** Groups of adjacent changed lines. */
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

/** Shortens long lines to the part around the first difference. */
function excerpt(before: string | null, after: string | null): Edit {
  if (before === null || after === null) return { before, after }
  if (before.length <= MAX_LENGTH && after.length <= MAX_LENGTH) return { before, after }
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const start = Math.max(0, same - CONTEXT_BEFORE_DIFFERENCE)
  return { before: part(before, start), after: part(after, start) }
}

function part(text: string, start: number): string {
  const end = start + MAX_LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`
}
