import type { StoredContent } from '../content.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import type { Line } from '../reading/hunks.ts'
import type { Mask } from '../reading/mask.ts'
import { distinctCitations } from './citationLinks.ts'
import { type CitedLines, citedLinesOf } from './citedLines.ts'

const MIN_LINES = 3
const MAX_LINES = 60
const MAX_CHARACTERS = 400
/** Secrets are searched in more of a line than is stored, because half a secret would no longer be recognized. */
const MAX_MASKED_CHARACTERS = 2000
/** The length to which lines are cut that exceed the share of their citation. */
const SHORT_CHARACTERS = 160
/** The size of the JSON around the text of a line. */
const LINE_BYTES = 70
/**
 * The size of all excerpts of a text. All citations share it equally, with at least MIN_LINES lines each. The contract
 * allows 1,860 citations, which at 3 short lines of ASCII take 1.3 MB. Real articles have about 40 citations, so most
 * have all their lines.
 */
const BUDGET_BYTES = 200_000

/** The cited lines of the diff by the URL of the citation. */
export type Excerpts = Record<string, CitedLines>

/** The excerpts to be stored with a text. They are stored, because the diff may be newer when the text is read. */
export async function excerptsOf(
  content: StoredContent,
  pull: Pick<PullRequestDocument, 'files' | 'diff'>,
  mask: Mask,
): Promise<Excerpts> {
  const evidence = distinctCitations(content)
  const cited = citedLinesOf(evidence, pull, MAX_LINES)
  const excerpts: Excerpts = {}
  let left = BUDGET_BYTES
  for (const [i, { url }] of evidence.entries()) {
    const source = cited.get(url)
    if (!source) continue
    // Later citations share what earlier ones did not use.
    const excerpt = await shortened(source, left / (evidence.length - i), mask)
    excerpts[url] = excerpt
    left -= bytesOf(excerpt.lines)
  }
  return excerpts
}

async function shortened({ lines, more }: CitedLines, share: number, mask: Mask): Promise<CitedLines> {
  const lengths = shownLengths(lines, share)
  const head = lines.slice(0, lengths.length)
  const texts = await mask(head.map(({ text }) => clipped(text, MAX_MASKED_CHARACTERS)))
  return {
    lines: head.map((line, i) => ({ ...line, text: clipped(texts[i] ?? '', lengths[i] ?? 0) })),
    more: more + lines.length - head.length,
  }
}

/** How many characters of each line are stored, for as many lines as fit. */
function shownLengths(lines: Line[], share: number): number[] {
  const lengths: number[] = []
  let bytes = 0
  for (const line of lines) {
    bytes += bytesOf([{ text: clipped(line.text, MAX_CHARACTERS) }])
    if (bytes <= share) lengths.push(MAX_CHARACTERS)
    else if (lengths.length < MIN_LINES) lengths.push(SHORT_CHARACTERS)
    else break
  }
  return lengths
}

function bytesOf(lines: Pick<Line, 'text'>[]): number {
  return lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + LINE_BYTES, 0)
}

function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
}
