import type { Citation } from '../draft.ts'
import { wholeFile } from '../proof/citable.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import { type Hunk, type Line, numberOf, sideOf } from '../reading/hunks.ts'

/** The maximum number of characters per cited path, on average. Real paths have fewer than a hundred characters. */
const MAX_CITED_PATH = 500

/** Consecutive added or removed lines of a file. */
export interface Run {
  sign: Line['sign']
  first: number
  last: number
}

/** The first `max` files, or fewer if their paths would make the outline too large. */
export function firstCitable(files: ChangedFile[], max: number): ChangedFile[] {
  let left = max * MAX_CITED_PATH
  return files.slice(0, max).filter(({ path }, i) => {
    left -= path.length
    return left >= 0 || i === 0
  })
}

/** Cites the biggest changes of a file in file order, or the whole file if it has no lines. */
export function citationsOf(file: ChangedFile, max: number): Citation[] {
  const citations = biggestHunks(file, max).flatMap((hunk) => {
    const run = longestRun(hunk, '+') ?? longestRun(hunk, '-')
    return run ? [citationOf(file, run)] : []
  })
  return citations.length > 0 ? citations : [wholeFile(file)]
}

/** Cites every changed line, for a change small enough to be described in full. */
export function citationsOfAll(file: ChangedFile): Citation[] {
  const runs: Run[] = []
  for (const line of file.hunks.flatMap(({ lines }) => lines)) {
    const { sign } = line
    if (sign === ' ') continue
    const number = numberOf(line)
    const previous = runs.findLast((run) => run.sign === sign)
    if (previous?.last === number - 1) previous.last = number
    else runs.push({ sign, first: number, last: number })
  }
  return runs.map((run) => citationOf(file, run))
}

export function biggestHunks({ hunks }: ChangedFile, max: number): Hunk[] {
  if (hunks.length <= max) return hunks
  const bySize = hunks.map((hunk, at) => ({ hunk, at, size: changedLines(hunk) })).sort((a, b) => b.size - a.size)
  return bySize
    .slice(0, max)
    .sort((a, b) => a.at - b.at)
    .map(({ hunk }) => hunk)
}

export function changedLines({ lines }: Hunk): number {
  return lines.reduce((count, { sign }) => (sign === ' ' ? count : count + 1), 0)
}

/**
 * The longest run of lines with this sign. Their line numbers must be consecutive; lines with the other sign may be in
 * between.
 */
export function longestRun({ lines }: Hunk, sign: '+' | '-'): Run | null {
  let longest: Run | null = null
  let run: Run | null = null
  for (const line of lines) {
    if (line.sign !== sign) continue
    const number = numberOf(line)
    const first: number = run?.last === number - 1 ? run.first : number
    run = { sign, first, last: number }
    if (!longest || run.last - run.first > longest.last - longest.first) longest = run
  }
  return longest
}

export function citationOf({ path }: ChangedFile, { sign, first, last }: Run): Citation {
  return { path, side: sideOf({ sign }), startLine: first, endLine: last }
}

export function lineCitation(file: ChangedFile, line: Line): Citation {
  return citationOf(file, { sign: line.sign, first: numberOf(line), last: numberOf(line) })
}
