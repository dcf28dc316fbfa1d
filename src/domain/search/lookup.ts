import type { Lookup } from '../../db/search/candidates.ts'
import type { SearchQuery, Term } from './query.ts'
import { tsqueryOf } from './tsquery.ts'

/** A search of the index and of the texts. `places` are those of the texts that the caller may read. */
export function lookupOf(search: SearchQuery, filters: string[], places: string[]): Lookup {
  const textOf = ({ text }: Term) => text
  const needsCheck = (term: Term) => term.needsCheck
  return {
    tsquery: tsqueryOf(search, filters, places),
    terms: search.terms.map(textOf),
    checked: search.terms.filter(needsCheck).map(textOf),
    excluded: search.excluded.filter(needsCheck).map(textOf),
  }
}
