import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { isFound, isVisibleCard, listedTexts, type Reader, type TextChoice } from './listedTexts.ts'

export type Sort = 'newest' | 'merged' | 'likes' | 'relevance'

/** What rows are sorted by, from the last one of the page before. */
export interface Position {
  /** Likes or relevance; 0 for other sorts. */
  score: number
  at: Date
  articleId: string
}

/** Which articles to list. */
export interface ListFilter extends TextChoice {
  hostRepoId: number | undefined
  mergedSince: Date | undefined
}

export interface ListPage {
  sort: Sort
  limit: number
  after: Position | undefined
}

/** A page of articles, one row for each. */
export async function findArticles(db: Kysely<Schema>, filter: ListFilter, page: ListPage, reader: Reader) {
  const order = orderOf(page.sort, filter)
  const conditions = [...[passes(filter), order.where, isAfter(page.after, order)], isVisibleCard(db, filter, reader)]
  const cards = placesOf(filter, reader).map(
    (place) => sql`(
      select article_cards.article_id, article_cards.language, ${order.score} as score, ${order.at} as at
      from article_cards where ${sql.join([...place, ...conditions], sql` and `)}
      order by ${order.by} limit ${page.limit}
    )`,
  )
  const found = sql<Placed>`(
    select * from (${sql.join(cards, sql` union all `)}) placed
    order by score desc, at desc, article_id desc limit ${page.limit}
  )`
  return listedInOrder(db, found, reader).execute()
}

export interface Placed {
  article_id: string
  language: string
  score: number
  at: Date
}

/** The texts with what they are sorted by. */
export function listedInOrder<Found extends Placed>(db: Kysely<Schema>, found: RawBuilder<Found>, reader: Reader) {
  return listedTexts(db, found, isFound, reader)
    .select(['found.score', 'found.at'])
    .orderBy('found.score', 'desc')
    .orderBy('found.at', 'desc')
    .orderBy('found.article_id', 'desc')
}

export type ListedRow = Awaited<ReturnType<typeof findArticles>>[number] & { shown?: string }

interface Order {
  score: RawBuilder<number>
  at: RawBuilder<Date>
  by: RawBuilder<unknown>
  where: RawBuilder<boolean>
}

const CREATED = sql<Date>`article_cards.created_at`
const MERGED = sql<Date>`article_cards.merged_at`
const LIKES = sql<number>`article_cards.like_count`
const LAST = sql`article_cards.article_id desc`

/**
 * Each follows an index. The articles of one repository are found by another index and sorted: the addition of zero keeps
 * Postgres from looking for them in the order of all articles.
 */
function orderOf(sort: Sort, { hostRepoId }: ListFilter): Order {
  const isAll = hostRepoId === undefined
  const likes = isAll ? LIKES : sql`${LIKES} + 0`
  const merged = isAll ? MERGED : sql`${MERGED} + interval '0'`
  if (sort === 'likes')
    return { score: LIKES, at: CREATED, by: sql`${likes} desc, ${CREATED} desc, ${LAST}`, where: sql`true` }
  if (sort === 'merged')
    return { score: sql`0`, at: MERGED, by: sql`${merged} desc, ${LAST}`, where: sql`${MERGED} is not null` }
  return { score: sql`0`, at: CREATED, by: sql`${CREATED} desc, ${LAST}`, where: sql`true` }
}

function isAfter(after: Position | undefined, { score, at }: Order): RawBuilder<boolean> {
  if (!after) return sql`true`
  // Without a score, its constant would keep Postgres from starting in the index at this row.
  return after.score === 0 && score !== LIKES
    ? sql`(${at}, article_cards.article_id) < (${after.at}::timestamptz, ${after.articleId}::uuid)`
    : sql`(${score}, ${at}, article_cards.article_id) <
        (${after.score}::integer, ${after.at}::timestamptz, ${after.articleId}::uuid)`
}

/**
 * Where to look for articles: among the public ones, whose indexes hold nothing else, and for a session among those of
 * private repositories that it has access to. The rule of visibility is checked in any case.
 */
function placesOf({ hostRepoId }: ListFilter, { sessionId }: Reader): RawBuilder<boolean>[][] {
  const isPublic = sql<boolean>`article_cards.is_public`
  if (sessionId === null) return [[isPublic]]
  if (hostRepoId !== undefined) return [[]]
  const isAccessible = sql<boolean>`article_cards.host_repo_id in (
    select host_repo_id from repository_access where session_id = ${sessionId} and allowed
  )`
  return [[isPublic], [sql<boolean>`not ${isPublic}`, isAccessible]]
}

function passes({ language, hostRepoId, mergedSince }: ListFilter): RawBuilder<boolean> {
  const conditions = [
    ...(language === undefined ? [] : [sql`article_cards.language = ${language}`]),
    ...(hostRepoId === undefined ? [] : [sql`article_cards.host_repo_id = ${hostRepoId}`]),
    ...(mergedSince === undefined ? [] : [sql`${MERGED} >= ${mergedSince}::timestamptz`]),
  ]
  return sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}
