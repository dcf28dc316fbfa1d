import type { components, operations } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findFavoriteRepositories } from '../../db/favorites/favorites.ts'
import { findShownRepository } from '../../db/repositories/repositories.ts'
import { findArticles, type ListFilter, type ListPage, type Sort } from '../../db/search/articleLists.ts'
import { listFound, searchArticles } from '../../db/search/articleSearch.ts'
import { findPrivatePlaces } from '../../db/search/places.ts'
import { type NewestTexts, searchRanges } from '../../db/search/searchRanges.ts'
import { Problem } from '../../errors.ts'
import { perContext } from '../../lib/perContext.ts'
import { DAY_MS } from '../../lib/times.ts'
import { ttlCache } from '../../lib/ttlCache.ts'
import type { PageWithoutUrls } from '../../lib/withoutUrl.ts'
import type { Viewer } from '../accounts/session.ts'
import { verifyLeftOut } from '../repositories/verifyListed.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { authorFilter, changeTypeFilter, compatibilityFilter, labelFilter, placeFilter } from '../search/filters.ts'
import { lookupOf } from '../search/lookup.ts'
import { parseQuery, type SearchQuery } from '../search/query.ts'
import { type CountFitting, type FoundRows, pageOf, positionOf } from './articlesPage.ts'

type Declared = NonNullable<operations['listArticles']['parameters']['query']>
/** What callers other than the operation can ask for, too. */
interface MoreOptions {
  sort?: Sort | undefined
  /** Only articles about these repositories. */
  hostRepoIds?: number[] | undefined
  /** Whether one of the words to search for is enough. */
  hasAnyTerm?: boolean
}
type Query = Omit<Declared, 'language' | 'limit' | 'sort' | 'favorites'> &
  MoreOptions & { language?: string | undefined; limit: number; favorites?: boolean | undefined }
export type ArticleFilters = Omit<Query, keyof MoreOptions | 'limit' | 'cursor' | 'favorites'>
type ArticlesPage = PageWithoutUrls<components['schemas']['ArticlesPage']>

interface Found extends FoundRows {
  isLimited: boolean
}

const NEWEST_TTL_MS = 60_000
const MAX_NEWEST = 100

/**
 * Dates and counts of the newest of all texts, or of those before a time. Searches use them, and they need not be
 * exact.
 */
const newestTexts = perContext(({ now }: Context) => ttlCache<NewestTexts>(now, NEWEST_TTL_MS, MAX_NEWEST))

const NOTHING: Found = { rows: [], places: [], isLimited: false }

/** A page of the articles that a caller may read, each in the preferred language if it has a text in it. */
export async function listArticles(
  ctx: Context,
  viewer: Viewer | undefined,
  query: Query,
  preferred = viewer?.user.language,
  countFitting?: CountFitting,
): Promise<ArticlesPage> {
  const search = parseQuery(query.q ?? '')
  const sort = sortOf(query.sort, search)
  const after = positionOf(query.cursor)
  await ctx.indexing.catchUp()
  await verifyLeftOut(ctx)
  const page = { sort, limit: query.limit + 1, after }
  const result = await find(ctx, viewer, { ...query, preferred }, search, page)
  const terms = search.terms.map(({ text }) => text)
  return { ...pageOf(ctx, result, query.limit, terms, countFitting), isLimited: result.isLimited }
}

function sortOf(wanted: Sort | undefined, { terms }: SearchQuery): Sort {
  if (wanted === 'relevance' && terms.length === 0)
    throw new Problem('VALIDATION_ERROR', 'Sorting by relevance needs a word or phrase to search for.')
  return wanted ?? (terms.length > 0 ? 'relevance' : 'newest')
}

/**
 * Parses a time, or a date as its beginning. The contract's format allows leap seconds, which JavaScript cannot
 * represent.
 */
function timeOf(name: string, text: string | undefined): Date | undefined {
  const time = text === undefined ? undefined : new Date(text)
  if (Number.isNaN(time?.getTime())) throw new Problem('VALIDATION_ERROR', `${name} is not a time.`)
  return time
}

/** A date means its end. */
function endOf(name: string, text: string | undefined): Date | undefined {
  const time = timeOf(name, text)
  return time && text?.length === 'YYYY-MM-DD'.length ? new Date(time.getTime() + DAY_MS) : time
}

async function find(
  ctx: Context,
  viewer: Viewer | undefined,
  query: Query & { preferred: string | undefined },
  search: SearchQuery,
  page: ListPage,
): Promise<Found> {
  const mergedSince = timeOf('mergedSince', query.mergedSince)
  const mergedUntil = endOf('mergedUntil', query.mergedUntil)
  // No stored text contains NUL, and Postgres rejects it in parameters.
  if (Object.values(query).some((value) => String(value).includes('\0'))) return NOTHING
  // Two different values for one filter match nothing.
  const languages = distinct([query.language, search.language])
  const repositories = distinct([query.repository?.toLowerCase(), search.repository])
  if (languages.length > 1 || repositories.length > 1) return NOTHING
  // The search consists of symbols only, which the index does not contain.
  if (query.q?.trim() && isEmpty(search)) return NOTHING
  const audience = audienceOf(ctx, viewer)
  const reader = { ...audience, userId: viewer?.user.id ?? null }
  const [name] = repositories
  const repository = name === undefined ? undefined : await repositoryOf(ctx, audience, name)
  if (name !== undefined && !repository) return NOTHING
  const wanted = query.favorites ? await favoriteIds(ctx, viewer) : query.hostRepoIds
  if (wanted?.length === 0 || (repository && wanted && !wanted.includes(repository.host_repo_id))) return NOTHING
  const filter: ListFilter = {
    language: languages[0],
    preferred: query.preferred,
    hostRepoIds: repository ? [repository.host_repo_id] : wanted,
    ...{ mergedSince, mergedUntil },
  }
  const filters = filtersOf(query, search)
  if (search.terms.length + search.excluded.length + filters.length === 0) {
    const rows = await findArticles(ctx.db, filter, page, reader)
    return { rows, places: rows, isLimited: false }
  }
  const places = [null, ...(await findPrivatePlaces(ctx.db, audience))].map(placeFilter)
  const lookup = lookupOf(search, filters, places, query.hasAnyTerm)
  const ranges = await searchRanges(ctx.db, newestTexts(ctx), filter, page, reader.now)
  const { found, isLimited } = await searchArticles(ctx.db, lookup, ranges, filter, page, reader)
  return { rows: await listFound(ctx.db, found, reader), places: found, isLimited }
}

/** Whether a list is looked up in the search index, which takes longer than other lists. */
export function usesIndex({ q, changeType, compatibility, author, label }: ArticleFilters): boolean {
  return Boolean(q) || [changeType, compatibility, author, label].some((values) => values !== undefined)
}

async function repositoryOf(ctx: Context, audience: ReturnType<typeof audienceOf>, fullName: string) {
  const [owner = '', repo = ''] = fullName.split('/')
  return findShownRepository(ctx.db, audience, { owner, repo })
}

function isEmpty({ terms, excluded, repository, changeType, language }: SearchQuery): boolean {
  return terms.length + excluded.length === 0 && !repository && !changeType && !language
}

async function favoriteIds(ctx: Context, viewer: Viewer | undefined): Promise<number[]> {
  return viewer ? findFavoriteRepositories(ctx.db, viewer.user.id) : []
}

/** The filters of a query: an article must pass one of each group. */
function filtersOf({ changeType, compatibility, author, label }: Query, search: SearchQuery): string[][] {
  const groups = [
    changeType?.map(changeTypeFilter),
    search.changeType && [changeTypeFilter(search.changeType)],
    compatibility?.map(compatibilityFilter),
    author?.map(authorFilter),
    label?.map(labelFilter),
  ]
  return groups.filter((group) => group !== undefined && group.length > 0) as string[][]
}

function distinct<T>(values: (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))]
}
