import type { PullRequestDocument } from '../../pulls/documentType.ts'
import type { StoredContent } from '../content.ts'
import { evidenceOf } from '../evidence.ts'
import type { Line } from '../reading/hunks.ts'
import { type CitedLines, citedLinesOf } from './citedLines.ts'

const MIN_LINES = 3
const MAX_LINES = 60
const MAX_CHARACTERS = 400
/** For lines that exceed the share of their citation. */
const SHORT_CHARACTERS = 160
/** Size of the JSON around the text of a line. */
const LINE_BYTES = 70
/**
 * Shared equally by all citations of a text, with at least MIN_LINES each. The contract allows 1,860 citations, which at
 * 3 short lines of ASCII take 1.3 MB. Real articles have about 40 citations, so most have all their lines.
 */
const BUDGET_BYTES = 200_000

export type Excerpt = CitedLines

/** The cited lines of the diff by the URL of the citation. */
export type Excerpts = Record<string, Excerpt>

/** Excerpts are stored with the text, because the stored diff may be newer when the text is read. */
export function excerptsOf(content: StoredContent, pull: Pick<PullRequestDocument, 'files' | 'diff'>): Excerpts {
  const evidence = evidenceOf(content)
  const cited = citedLinesOf(evidence, pull, MAX_LINES)
  const excerpts: Excerpts = {}
  let left = BUDGET_BYTES
  for (const [i, { url }] of evidence.entries()) {
    const lines = cited.get(url)
    if (!lines) continue
    // Later citations share what earlier ones did not use.
    const excerpt = excerpts[url] ?? shortened(lines, left / (evidence.length - i))
    excerpts[url] = excerpt
    left -= bytesOf(excerpt.lines)
  }
  return excerpts
}

function shortened({ lines, more }: CitedLines, share: number): Excerpt {
  const shown: Line[] = []
  let bytes = 0
  for (const line of lines) {
    const whole = clipped(line, MAX_CHARACTERS)
    bytes += bytesOf([whole])
    if (bytes <= share) shown.push(whole)
    else if (shown.length < MIN_LINES) shown.push(clipped(line, SHORT_CHARACTERS))
    else break
  }
  return { lines: shown, more: more + lines.length - shown.length }
}

function bytesOf(lines: Line[]): number {
  return lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + LINE_BYTES, 0)
}

function clipped(line: Line, length: number): Line {
  const { text } = line
  return text.length > length ? { ...line, text: `${text.slice(0, length).toWellFormed()}…` } : line
}
