import type { Lookup } from '../../db/search/candidates.ts'
import type { SearchQuery, SearchTerm } from './query.ts'
import { tsqueryOf } from './tsquery.ts'

/**
 * Prepares a search of the index and of the texts themselves. `places` are the filters for texts that the caller may
 * read. With `hasAnyTerm`, one of the terms is enough.
 */
export function lookupOf(search: SearchQuery, filters: string[][], places: string[], hasAnyTerm = false): Lookup {
  const textOf = ({ text }: SearchTerm) => text
  const needsCheck = (term: SearchTerm) => term.needsCheck
  return {
    tsquery: tsqueryOf(search, filters, places, hasAnyTerm),
    terms: search.terms.map(textOf),
    checked: hasAnyTerm ? [] : search.terms.filter(needsCheck).map(textOf),
    excluded: search.excluded.filter(needsCheck).map(textOf),
  }
}
