import { firstIndex } from '../../lib/firstIndex.ts'
import type { StoredContent } from '../content.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import { splitDiff } from '../facts/splitDiff.ts'
import { hunksOf, type Line, type Side, withoutCarriageReturns } from '../reading/hunks.ts'

type Evidence = StoredContent['mainChanges'][number]['evidence'][number]
type CitedRange = Evidence & { startLine: number; endLine: number }

/** The first lines of a citation and the number of omitted ones. */
export interface CitedLines {
  lines: Line[]
  more: number
}

interface FileLines {
  lines: Line[]
  /** For each side, the indexes of its lines in `lines`, sorted by line number. */
  positions: Record<Side, number[]>
}

/**
 * Up to `max` lines of each citation, by the URL of the citation. Parses only the sections of cited files, one at a
 * time.
 */
export function citedLinesOf(
  evidence: Evidence[],
  { files, diff }: Pick<PullRequestDocument, 'files' | 'diff'>,
  max: number,
): Map<string, CitedLines> {
  const sections = splitDiff(diff)
  const places = new Map(files.map(({ path }, i) => [path, i]))
  const cited = new Map<string, CitedLines>()
  for (const [path, ranges] of Map.groupBy(evidence.filter(hasLines), (range) => range.path)) {
    const section = sections[places.get(path) ?? -1]
    if (section === undefined) continue
    const file = fileLinesOf(section)
    for (const range of ranges) {
      const lines = linesIn(file, range, max)
      if (lines) cited.set(range.url, lines)
    }
  }
  return cited
}

function hasLines(evidence: Evidence): evidence is CitedRange {
  return evidence.startLine !== null && evidence.endLine !== null
}

function fileLinesOf(section: string): FileLines {
  const lines = withoutCarriageReturns(hunksOf(section)).flatMap((hunk) => hunk.lines)
  const positions: FileLines['positions'] = { old: [], new: [] }
  for (const [at, line] of lines.entries()) {
    if (line.old !== null) positions.old.push(at)
    if (line.new !== null) positions.new.push(at)
  }
  return { lines, positions }
}

/** The lines from the first to the last cited one, including lines of the other side between them. */
function linesIn({ lines, positions }: FileLines, { side, startLine, endLine }: CitedRange, max: number) {
  const own = positions[side]
  const numberAt = (i: number) => lines[own[i] ?? -1]?.[side] ?? 0
  const first = own[firstIndex(own.length, (i) => numberAt(i) >= startLine)]
  const last = own[firstIndex(own.length, (i) => numberAt(i) > endLine) - 1]
  if (first === undefined || last === undefined || first > last) return undefined
  const end = Math.min(last + 1, first + max)
  return { lines: lines.slice(first, end), more: last + 1 - end }
}
