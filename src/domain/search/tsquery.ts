import type { WantedLexeme } from './lexemes.ts'
import type { SearchQuery } from './query.ts'

/**
 * A query of the index: all terms (or any), one filter of each group, at least one of the places, and no excluded term.
 */
export function tsqueryOf(
  query: Pick<SearchQuery, 'terms' | 'excluded'>,
  filters: string[][],
  places: string[],
  hasAnyTerm: boolean,
): string {
  const groups = query.terms.map(({ wanted }) => wanted.map(wantedText))
  const anyTerm = `(${groups.map((group) => group.join(' & ')).join(' | ')})`
  const terms = hasAnyTerm && groups.length > 0 ? [anyTerm] : groups.flat()
  // Only terms that the index alone can exclude. Others are checked in the text itself: it may contain the entries of
  // a phrase apart from each other.
  const excluded = query.excluded.filter(({ needsCheck }) => !needsCheck).flatMap(({ wanted }) => wanted)
  return [
    ...new Set([...terms, ...filters.map(anyOf)]),
    anyOf(places),
    ...excluded.map((one) => `!${wantedText(one)}`),
  ].join(' & ')
}

function anyOf(lexemes: string[]): string {
  return `(${lexemes.map(quoted).join(' | ')})`
}

function wantedText({ lexeme, isPrefix }: WantedLexeme): string {
  return isPrefix ? `${quoted(lexeme)}:*` : quoted(lexeme)
}

export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
