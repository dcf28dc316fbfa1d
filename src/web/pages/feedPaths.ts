import { pathWith } from './pathWith.ts'

/** The parameters of a search feed, named as in the operation listArticles. */
export interface SearchFeedQuery {
  q?: string | undefined
  repository?: string | undefined
  language?: string | undefined
  changeType?: string[] | undefined
  compatibility?: string[] | undefined
  author?: string[] | undefined
  label?: string[] | undefined
  mergedSince?: string | undefined
  mergedUntil?: string | undefined
}

export const NEWEST_FEED = '/feeds/articles.atom'
export const RANKING_FEED = '/feeds/ranking.atom'
export const SEARCH_FEED = '/feeds/search.atom'

export function newestFeedPath(language: string | undefined): string {
  return pathWith(NEWEST_FEED, { language })
}

/** One path for each search, whatever the order of its parameters: it identifies the feed. */
export function searchFeedPath(query: SearchFeedQuery): string {
  const { q, repository, language, mergedSince, mergedUntil } = query
  const [changeType, compatibility, author, label] = [
    query.changeType,
    query.compatibility,
    query.author,
    query.label,
  ].map((values) => values?.toSorted())
  const several = { changeType, compatibility, author, label }
  return pathWith(SEARCH_FEED, { q, repository, language, ...several, mergedSince, mergedUntil })
}

export function repositoryFeedPath(owner: string, name: string): string {
  return `/feeds/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
}
