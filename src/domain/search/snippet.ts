import { clip } from '../../lib/clip.ts'
import { foldWithOrigins } from './fold.ts'

/** A piece of a text around a match. */
export interface Snippet {
  text: string
  /** The matches within `text`: where each begins and ends. */
  marks: { start: number; end: number }[]
}

const LENGTH = 160
/** Characters that are shown before the first match. */
const LEADING = 40
const MAX_MARKS = 10
const ELLIPSIS = '…'

/** The piece of a text around the first match of a search term; its beginning if none occurs. */
export function snippetOf(text: string, terms: string[]): Snippet {
  const folded = foldWithOrigins(text)
  const matches = matchesIn(folded.text, terms).map(({ start, end }) => ({
    start: folded.originOf(start),
    end: folded.originOf(end),
  }))
  const from = startOf(text, Math.max(0, (matches[0]?.start ?? 0) - LEADING))
  const { text: cut, truncated } = clip(text.slice(from), LENGTH)
  const lead = from > 0 ? ELLIPSIS : ''
  const shift = lead.length - from
  return {
    text: `${lead}${cut}${truncated ? ELLIPSIS : ''}`,
    marks: matches
      .filter(({ start }) => start < from + cut.length)
      .map(({ start, end }) => ({ start: start + shift, end: Math.min(end, from + cut.length) + shift })),
  }
}

/** All matches in order, without overlaps. */
function matchesIn(text: string, terms: string[]): { start: number; end: number }[] {
  const matches = terms.flatMap((term) => {
    const places: { start: number; end: number }[] = []
    for (let at = text.indexOf(term); at !== -1 && places.length < MAX_MARKS; at = text.indexOf(term, at + term.length))
      places.push({ start: at, end: at + term.length })
    return places
  })
  let end = 0
  return matches
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((match) => {
      if (match.start < end) return false
      end = match.end
      return true
    })
}

/**
 * The start of the word at a position. If that is far before, the start of the character, which may be a surrogate
 * pair.
 */
function startOf(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  if (at - space <= 12) return space + 1
  return at > 0 && /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at
}
