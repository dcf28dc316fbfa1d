import type { jaSearch } from './jaSearch.ts'

export const enSearch: typeof jaSearch = {
  searchArticles: 'Search articles',
  searchResults: (query) => `Results for “${query}”`,
  results: 'Results',
  filters: 'Filter by type and language',
  changeType: 'Type of change',
  allTypes: 'All types',
  sortBy: 'Sort by',
  sorts: { relevance: 'Relevance', newest: 'Newest', likes: 'Most liked' },
  moreResults: 'More results',
  onlyNewestRanked: (count) => `There are many matches. Only the newest ${count} were ranked.`,
  nothingFound: 'Nothing was found.',
  searchWithoutFilters: 'Search all types and languages',
  searchHints: {
    words: 'All words must occur. Try fewer or shorter ones.',
    phrase: 'finds the exact phrase',
    without: 'leaves out articles with the word',
    repository: 'finds articles about a repository',
    type: 'finds fixes',
    language: 'finds articles in English',
  },
  searchErrors: {
    type: (known) => `type: is followed by one of ${known}.`,
    language: 'lang: is followed by a language code of two letters, such as en.',
    terms: (max) => `A search has at most ${max} words and phrases.`,
    length: (max) => `A search has at most ${max} characters.`,
  },
}
