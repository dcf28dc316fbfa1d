import type { StoredContent } from '../content.ts'
import type { Evidence } from '../evidence.ts'
import { distinctCitations } from './citationLinks.ts'
import type { Labels } from './labels.ts'
import { inlineCode, link, linkTarget } from './markdownText.ts'
import type { CodeSide } from './view.ts'

/** How citations are written. */
export interface Citations {
  /** The places that a claim cites, separated by commas; empty without evidence. */
  cite(evidence: Evidence[]): string
  /** The place of a side of a code figure. */
  place(side: CodeSide): string
}

/** Each place refers to a link that `referencesOf` defines, so that a URL does not interrupt the text. */
export function linked(content: StoredContent, { oldShort }: Labels): Citations {
  const names = new Map(distinctCitations(content).map(({ url }, i) => [url, referenceName(i)]))
  const toPlace = (place: string, url: string) => {
    const name = names.get(url)
    return name === undefined ? link(inlineCode(place), url) : `[${inlineCode(place)}][${name}]`
  }
  return {
    cite: (evidence) =>
      distinct(evidence)
        .map((one) => toPlace(placeOf(one.path, [one]), one.url) + (one.side === 'old' ? ` (${oldShort})` : ''))
        .join(', '),
    place: ({ path, ranges, url }) => toPlace(placeOf(path, ranges), url),
  }
}

/** A number alone could occur in a text, as in `list[1]`. */
function referenceName(index: number): string {
  return `e${index + 1}`
}

/** The links of all citations. */
export function referencesOf(content: StoredContent): string {
  return distinctCitations(content)
    .map(({ url }, i) => `[${referenceName(i)}]: ${linkTarget(url)}`)
    .join('\n')
}

/** Each file is named once for all its lines, without a link: a URL takes a hundred tokens. */
export function unlinked({ oldShort }: Labels): Citations {
  return {
    cite: (evidence) =>
      Map.groupBy(distinct(evidence), ({ path, side }) => JSON.stringify([path, side]))
        .values()
        .map((places) => {
          const [{ path, side } = { path: '', side: 'new' }] = places
          return inlineCode(placeOf(path, places)) + (side === 'old' ? ` (${oldShort})` : '')
        })
        .toArray()
        .join(', '),
    place: ({ path, ranges }) => inlineCode(placeOf(path, ranges)),
  }
}

function distinct(evidence: Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [one.url, one])).values()]
}

interface Range {
  startLine: number | null
  endLine: number | null
}

/** A path with its lines, such as `src/a.ts:3-5,9`; the path alone stands for the whole file. */
export function placeOf(path: string, ranges: Range[]): string {
  const lines = ranges.flatMap(({ startLine, endLine }) => {
    if (startLine === null) return []
    return [endLine === null || endLine === startLine ? String(startLine) : `${startLine}-${endLine}`]
  })
  return lines.length === 0 ? path : `${path}:${lines.join(',')}`
}
