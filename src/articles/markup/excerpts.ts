import type { PullRequestDocument } from '../../pulls/document.ts'
import type { StoredContent } from '../content.ts'
import { type Hunk, hunksOf, type Line, sideOf } from '../reading/hunks.ts'

type Evidence = StoredContent['mainChanges'][number]['evidence'][number]

const MOST_LINES = 12
const MOST_CHARACTERS = 160
/** What a page may hold, in bytes, the text itself included. */
const PAGE_BYTES = 20_000
const MARKUP_BYTES = 70

/** Some lines of the diff, and how many more are cited with them. */
export interface Excerpt {
  lines: Line[]
  more: number
}

/** The lines behind each piece of evidence, by its address, as far as a page has room for them. */
export type Excerpts = Record<string, Excerpt>

/** What a text cites, kept with it: the diff that is stored may be a newer one by the time it is read. */
export function excerptsOf(
  content: StoredContent,
  { files, diff }: Pick<PullRequestDocument, 'files' | 'diff'>,
): Excerpts {
  const sections = `\n${diff}`.split('\ndiff --git ').slice(1)
  const places = new Map(files.map(({ path }, i) => [path, i]))
  const excerpts: Excerpts = {}
  let left = PAGE_BYTES - Buffer.byteLength(JSON.stringify(content))
  for (const evidence of [...content.mainChanges, ...content.notablePoints].flatMap((claim) => claim.evidence)) {
    const section = sections[places.get(evidence.path) ?? -1]
    const excerpt = section === undefined ? undefined : excerptOf(evidence, hunksOf(section))
    const length = excerpt?.lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + MARKUP_BYTES, 0) ?? 0
    if (!excerpt || excerpts[evidence.url] || length > left) continue
    excerpts[evidence.url] = excerpt
    left -= length
  }
  return excerpts
}

/** From the first line cited to the last, with what stands between them on the other side. */
function excerptOf({ side, startLine, endLine }: Evidence, hunks: Hunk[]): Excerpt | undefined {
  if (startLine === null || endLine === null) return undefined
  const isCited = (line: Line) => sideOf(line) === side && line.number >= startLine && line.number <= endLine
  const cited = hunks.flatMap(({ lines }) => lines.slice(lines.findIndex(isCited), lines.findLastIndex(isCited) + 1))
  if (cited.length === 0) return undefined
  const lines = cited.slice(0, MOST_LINES).map((line) => ({ ...line, text: clipped(line.text) }))
  return { lines, more: cited.length - lines.length }
}

function clipped(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…` : text
}
