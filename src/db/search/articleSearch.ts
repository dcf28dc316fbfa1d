import { type Kysely, sql } from 'kysely'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import type { Schema } from '../schema/schema.ts'
import { type ListFilter, type ListPage, listedInOrder, type Placed } from './articleLists.ts'
import { candidates, type Lookup, type SearchShape, type SearchValues } from './candidates.ts'
import type { Reader } from './listedTexts.ts'
import { periodKeys } from './periods.ts'
import { inOrder, type PageValues } from './searchOrder.ts'
import type { SearchRange } from './searchRanges.ts'

/** Searches sort at most so many articles, the newest. */
export const MAX_CANDIDATES = 1000

/** There are statements for so many terms, which also serve fewer: few, because every connection stores each of them. */
const TERMS = [3, 10]

/**
 * There is one way to search the index: Postgres would sometimes read the whole table instead, and it would take longer
 * to plan the statement for the values of each search than to run it.
 */
const SETTINGS = {
  statement_timeout: '2s',
  enable_seqscan: 'off',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_generic_plan',
}

/** A page of the articles that a search finds, and whether there were more candidates than are sorted. */
export async function searchArticles(
  db: Kysely<Schema>,
  { tsquery, terms, checked, excluded }: Lookup,
  ranges: SearchRange[],
  { language, preferred, hostRepoId, mergedSince }: ListFilter,
  { sort, limit, after }: ListPage,
  { sessionId, userId, now, public_minutes }: Reader,
) {
  const shape = {
    sort,
    terms: sort === 'relevance' ? (TERMS.find((count) => count >= terms.length) ?? terms.length) : 0,
    isChecked: checked.length + excluded.length > 0,
    ranges: ranges.length,
    isOfRepository: hostRepoId !== undefined,
    isSession: sessionId !== null,
    isUser: userId !== null,
  }
  const values = {
    ...{ tsquery, terms, checked, excluded, language, preferred, hostRepoId, mergedSince, limit },
    from: ranges.map(({ from }) => from),
    to: ranges.map(({ to }) => to),
    keys: ranges.map(({ from, end }) => from && `{${periodKeys({ from, to: end }).join(',')}}`),
    ...{ afterScore: after?.score, afterAt: after?.at, afterId: after?.articleId },
  }
  const rows = await pages(db, shape, values, { sessionId, userId, now, public_minutes })
  return { rows, isLimited: rows[0]?.is_limited ?? false }
}

interface Shape extends SearchShape {
  isSession: boolean
  isUser: boolean
}

type Values = SearchValues & PageValues

/** One statement, so that a page is whole. */
const pages = preparedInShapes(
  (db, shape: Shape, values: Values, { sessionId, userId, now, public_minutes }: Reader) => {
    const reader = {
      sessionId: shape.isSession ? sessionId : null,
      userId: shape.isUser ? userId : null,
      ...{ now, public_minutes },
    }
    const found = sql<Placed & { is_limited: boolean }>`(
    with newest as materialized (${candidates(db, shape, values, reader, MAX_CANDIDATES + 1)}),
    candidates as (select * from newest limit ${sql.lit(MAX_CANDIDATES)})
    select *, (select count(*) > ${sql.lit(MAX_CANDIDATES)} from newest) as is_limited
    from (${inOrder(shape, values)}) page
  )`
    const shown = sql<string>`(
    select shown from article_search
    where (article_search.article_id, article_search.language) = (found.article_id, found.language)
  )`
    return listedInOrder(db, found, reader).select(shown.as('shown')).select('found.is_limited')
  },
  SETTINGS,
)
