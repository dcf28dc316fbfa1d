import type { PullRequestDocument } from '../../pulls/document.ts'
import type { StoredContent } from '../content.ts'
import type { Line } from '../reading/hunks.ts'
import { type CitedLines, citedLinesOf } from './citedLines.ts'

const MIN_LINES = 3
const MAX_LINES = 12
const MAX_CHARACTERS = 160
/** Size of the markup around the text of a line. */
const MARKUP_BYTES = 70
/**
 * Shared equally by all citations of an article, with at least MIN_LINES each. The contract allows 1,600 citations (20
 * for each of 50 changes and 30 points), which at 3 lines of 160 ASCII characters take 1.1 MB. Real articles have about
 * 40 citations, so most show all their lines.
 */
const BUDGET_BYTES = 40_000

export type Excerpt = CitedLines

/** The cited lines of the diff by the URL of the citation. */
export type Excerpts = Record<string, Excerpt>

/** Excerpts are stored with the text, because the stored diff may be newer when the text is read. */
export function excerptsOf(content: StoredContent, pull: Pick<PullRequestDocument, 'files' | 'diff'>): Excerpts {
  const evidence = [...content.mainChanges, ...content.notablePoints].flatMap((claim) => claim.evidence)
  const cited = citedLinesOf(evidence, pull, MAX_LINES)
  const excerpts: Excerpts = {}
  let left = BUDGET_BYTES
  for (const [i, { url }] of evidence.entries()) {
    const lines = cited.get(url)
    if (!lines) continue
    // Later citations share what earlier ones did not use.
    const excerpt = excerpts[url] ?? shortened(lines, left / (evidence.length - i))
    excerpts[url] = excerpt
    left -= excerpt.lines.reduce((sum, line) => sum + bytesOf(line), 0)
  }
  return excerpts
}

function shortened({ lines, more }: CitedLines, share: number): Excerpt {
  let bytes = 0
  const shown = lines.map(clipped).filter((line, i) => {
    bytes += bytesOf(line)
    return i < MIN_LINES || bytes <= share
  })
  return { lines: shown, more: more + lines.length - shown.length }
}

function bytesOf({ text }: Line): number {
  return Buffer.byteLength(text) + MARKUP_BYTES
}

function clipped(line: Line): Line {
  const { text } = line
  return text.length > MAX_CHARACTERS ? { ...line, text: `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…` } : line
}
