import type { WantedLexeme } from './lexemes.ts'
import type { SearchQuery } from './query.ts'

/** A search of the index: all terms and filters, texts at one of the places, and no excluded term. */
export function tsqueryOf(query: Pick<SearchQuery, 'terms' | 'excluded'>, filters: string[], places: string[]): string {
  const terms = query.terms.flatMap(({ wanted }) => wanted).map(wantedText)
  // Other excluded terms are looked for in the text: the entries of a phrase may occur apart from each other.
  const excluded = query.excluded.filter(({ needsCheck }) => !needsCheck).flatMap(({ wanted }) => wanted)
  return [
    ...new Set([...terms, ...filters.map(quoted)]),
    `(${places.map(quoted).join(' | ')})`,
    ...excluded.map((one) => `!${wantedText(one)}`),
  ].join(' & ')
}

function wantedText({ lexeme, isPrefix }: WantedLexeme): string {
  return isPrefix ? `${quoted(lexeme)}:*` : quoted(lexeme)
}

export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
