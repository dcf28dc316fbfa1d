import { setImmediate as nextTurn } from 'node:timers/promises'
import type { components, operations } from '../../generated/api.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findShownRepository } from '../db/repositories/repositories.ts'
import {
  findArticles,
  type ListedRow,
  type ListFilter,
  type ListPage,
  type Position,
  type Sort,
} from '../db/search/articleLists.ts'
import { listFound, searchArticles } from '../db/search/articleSearch.ts'
import { findPrivatePlaces } from '../db/search/places.ts'
import { searchRanges } from '../db/search/searchRanges.ts'
import { Problem } from '../errors.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'
import { verifyLeftOut } from '../repositories/verifyListed.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { decodeCursor, encodeCursor, isInteger32, isTime, isUuid } from './cursor.ts'
import { authorFilter, changeTypeFilter, compatibilityFilter, labelFilter, placeFilter } from './filters.ts'
import { lookupOf } from './lookup.ts'
import { parseQuery, type SearchQuery } from './query.ts'
import { snippetOf } from './snippet.ts'

type Declared = NonNullable<operations['listArticles']['parameters']['query']>
type Query = Omit<Declared, 'lang' | 'language' | 'limit'> & { language?: string | undefined; limit: number }
export type ArticleFilters = Omit<Query, 'sort' | 'limit' | 'cursor'>
export type ListedArticle = components['schemas']['ListedArticle']
/** How many of the first articles fit a page that is limited in another way too. */
type CountFitting = (articles: ListedArticle[]) => number
type ArticlesPage = components['schemas']['ArticlesPage']

const NOTHING = { rows: [], isLimited: false }

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
  const { rows, isLimited } = await find(ctx, viewer, { ...query, preferred }, search, page)
  const terms = search.terms.map(({ text }) => text)
  return { ...pageOf(ctx, rows, query.limit, terms, countFitting), isLimited }
}

/** A page of rows, of which there is one more than `limit` if a further page follows. */
export function pageOf(
  ctx: Context,
  rows: ListedRow[],
  limit: number,
  terms: string[] = [],
  countFitting: CountFitting = ({ length }) => length,
) {
  checkUnverified(ctx, rows)
  const listed = rows.slice(0, limit).map((row) => toListed(row, terms))
  const count = countFitting(listed)
  const last = rows.length > count ? rows[count - 1] : undefined
  return {
    data: listed.slice(0, count),
    pagination: {
      limit,
      nextCursor: last ? encodeCursor([last.score, last.at.getTime(), last.article_id]) : null,
    },
  }
}

export function positionOf(cursor: string | undefined): Position | undefined {
  const values = decodeCursor<[number, number, string]>(
    cursor,
    ([score, at, articleId]) => isInteger32(score) && isTime(at) && isUuid(articleId),
  )
  return values && { score: values[0], at: new Date(values[1]), articleId: values[2] }
}

function sortOf(wanted: Sort | undefined, { terms }: SearchQuery): Sort {
  if (wanted === 'relevance' && terms.length === 0)
    throw new Problem('VALIDATION_ERROR', 'Sorting by relevance needs a word or phrase in `q`.')
  return wanted ?? (terms.length > 0 ? 'relevance' : 'newest')
}

/** The contract's format allows leap seconds, which are no time for JavaScript. */
function timeOf(text: string | undefined): Date | undefined {
  const time = text === undefined ? undefined : new Date(text)
  if (Number.isNaN(time?.getTime())) throw new Problem('VALIDATION_ERROR', 'mergedSince is not a time.')
  return time
}

async function find(
  ctx: Context,
  viewer: Viewer | undefined,
  query: Query & { preferred: string | undefined },
  search: SearchQuery,
  page: ListPage,
): Promise<{ rows: ListedRow[]; isLimited: boolean }> {
  const mergedSince = timeOf(query.mergedSince)
  // Postgres holds no text with this character, and refuses it.
  if (Object.values(query).some((value) => String(value).includes('\0'))) return NOTHING
  // Two different values for one filter match nothing.
  const languages = distinct([query.language, search.language])
  const repositories = distinct([query.repository?.toLowerCase(), search.repository])
  if (languages.length > 1 || repositories.length > 1) return NOTHING
  // Symbols alone, which the index does not hold.
  if (query.q?.trim() && isEmpty(search)) return NOTHING
  const audience = audienceOf(ctx, viewer)
  const reader = { ...audience, userId: viewer?.user.id ?? null }
  const [name] = repositories
  const repository = name === undefined ? undefined : await repositoryOf(ctx, audience, name)
  if (name !== undefined && !repository) return NOTHING
  const filter: ListFilter = {
    language: languages[0],
    preferred: query.preferred,
    hostRepoId: repository?.host_repo_id,
    mergedSince,
  }
  const filters = filtersOf(query, search)
  if (search.terms.length + search.excluded.length + filters.length === 0)
    return { rows: await findArticles(ctx.db, filter, page, reader), isLimited: false }
  const places = [null, ...(await findPrivatePlaces(ctx.db, audience))].map(placeFilter)
  const lookup = lookupOf(search, filters, places)
  return ctx.gates.searches.take(async () => {
    const ranges = await searchRanges(ctx.db, ctx.gates.newestTexts, filter, page, reader.now)
    const { found, isLimited } = await searchArticles(ctx.db, lookup, ranges, filter, page, reader)
    // Two statements, so that requests that have come in meanwhile are not held up by both.
    await nextTurn()
    return { rows: await listFound(ctx.db, found, reader), isLimited }
  })
}

async function repositoryOf(ctx: Context, audience: ReturnType<typeof audienceOf>, fullName: string) {
  const [owner = '', repo = ''] = fullName.split('/')
  return findShownRepository(ctx.db, audience, { owner, repo })
}

function isEmpty({ terms, excluded, repository, changeType, language }: SearchQuery): boolean {
  return terms.length + excluded.length === 0 && !repository && !changeType && !language
}

function filtersOf({ changeType, compatibility, author, label }: Query, search: SearchQuery): string[] {
  return [
    ...distinct([changeType, search.changeType]).map(changeTypeFilter),
    ...(compatibility === undefined ? [] : [compatibilityFilter(compatibility)]),
    ...(author === undefined ? [] : [authorFilter(author)]),
    ...(label === undefined ? [] : [labelFilter(label)]),
  ]
}

function distinct<T>(values: (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))]
}

export function toListed(row: ListedRow, terms: string[]): ListedArticle {
  const { compatibility, affected } = row
  return {
    articleId: row.article_id,
    languageCode: row.language,
    languages: row.languages,
    kind: row.kind,
    aiGeneratedTitle: row.title,
    lead: row.lead,
    impact: compatibility !== null && affected !== null ? { compatibility, affected } : null,
    changeTypes: row.change_types,
    repositoryFullName: `${row.owner}/${row.name}`,
    owner: row.owner,
    repo: row.name,
    prNumber: row.number,
    hostPrUrl: row.host_url ?? '',
    authorLogin: row.author_login ?? '',
    authorIsBot: row.author_is_bot,
    state: row.state,
    draft: row.draft,
    merged: row.is_merged,
    mergedAt: row.merged_at?.toISOString() ?? null,
    hostPrCreatedAt: row.host_created_at.toISOString(),
    labels: row.labels,
    readingMinutes: row.reading_minutes,
    likeCount: row.likes,
    liked: row.is_liked,
    createdAt: row.created_at.toISOString(),
    snippet: terms.length > 0 && row.shown !== undefined ? snippetOf(row.shown, terms) : null,
  }
}
