import { type Kysely, type RawBuilder, sql } from 'kysely'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import type { Schema } from '../schema/schema.ts'
import { impactRank } from './impactRank.ts'
import {
  isFound,
  isVisibleCard,
  listedTexts,
  type Reader,
  type ReaderShape,
  readerIn,
  readerShape,
  type TextChoice,
} from './listedTexts.ts'

/** `impact`: breaking changes first, and of the same compatibility the latest merge; merged pull requests only. */
export type Sort = 'newest' | 'merged' | 'likes' | 'relevance' | 'impact'

/** The position of the last row on the previous page: the values that rows are sorted by. */
export interface Position {
  /** Likes, relevance or impact; 0 for other sorts. */
  score: number
  at: Date
  articleId: string
}

/** Which articles to list. */
export interface ListFilter extends TextChoice {
  /** Only articles about these repositories. */
  hostRepoIds: number[] | undefined
  mergedSince: Date | undefined
  /** Not included. */
  mergedUntil: Date | undefined
}

export interface ListPage {
  sort: Sort
  limit: number
  after: Position | undefined
}

/** A page as values of a prepared statement. */
export interface PageValues {
  limit: number
  afterScore: number | undefined
  afterAt: Date | undefined
  afterId: string | undefined
}

export function pageValues({ limit, after }: ListPage): PageValues {
  return { limit, afterScore: after?.score, afterAt: after?.at, afterId: after?.articleId }
}

/** A page of articles, one row for each. */
export async function findArticles(db: Kysely<Schema>, filter: ListFilter, page: ListPage, reader: Reader) {
  const { language, preferred = '', hostRepoIds, mergedSince, mergedUntil } = filter
  const shape = {
    sort: page.sort,
    isInLanguage: language !== undefined,
    repositories: repositoriesShape(hostRepoIds),
    ...readerShape(reader),
  }
  const values = { language, preferred, hostRepoIds, mergedSince, mergedUntil, ...pageValues(page) }
  // The best index for these filters depends on their values, so Postgres plans each such query anew.
  const isSelective = language !== undefined || (mergedSince !== undefined && page.sort !== 'merged')
  const pages = isSelective && shape.repositories === 'all' ? plannedByValues : plannedOnce
  return pages(db, shape, values, reader)
}

/**
 * The properties of a list that need a statement of their own, because no parameter can express them without another
 * plan.
 */
interface Shape extends ReaderShape {
  sort: Sort
  isInLanguage: boolean
  /** Only for one repository does an index have its articles in order. */
  repositories: 'all' | 'one' | 'some'
}

function repositoriesShape(hostRepoIds: number[] | undefined): Shape['repositories'] {
  if (hostRepoIds === undefined) return 'all'
  return hostRepoIds.length === 1 ? 'one' : 'some'
}

interface Values extends PageValues {
  language: string | undefined
  preferred: string
  hostRepoIds: number[] | undefined
  mergedSince: Date | undefined
  mergedUntil: Date | undefined
}

function build(db: Kysely<Schema>, shape: Shape, values: Values, anyReader: Reader) {
  const reader = readerIn(shape, anyReader)
  const order = orderOf(shape)
  const choice = { language: shape.isInLanguage ? values.language : undefined, preferred: values.preferred }
  const conditions = [...passes(shape, values), ...order.where(values), isVisibleCard(db, choice, reader)]
  const cards = placesOf(shape, reader).map(
    (place) => sql`(
      select article_cards.article_id, article_cards.language, ${order.score} as score, ${order.at} as at
      from article_cards where ${sql.join([...place, ...conditions], sql` and `)}
      order by ${order.by} limit ${values.limit}
    )`,
  )
  const texts = sql<Placed>`(
    select * from (${sql.join(cards, sql` union all `)}) placed
    order by score desc, at desc, article_id desc limit ${values.limit}
  )`
  return listedInOrder(db, texts, reader)
}

/** These statements are planned only once, because planning takes several times as long as running them. */
const plannedOnce = preparedInShapes(build, { plan_cache_mode: 'force_generic_plan' })
const plannedByValues = preparedInShapes(build)

export interface Placed {
  article_id: string
  language: string
  score: number
  at: Date
}

/** The found texts in order, with the values that they are sorted by. */
export function listedInOrder<Found extends Placed>(db: Kysely<Schema>, texts: RawBuilder<Found>, reader: Reader) {
  return listedTexts(db, texts, isFound, reader)
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
  /**
   * The conditions that select the rows of this order after the previous page. Postgres starts reading the index at
   * that position.
   */
  where(values: Values): RawBuilder<boolean>[]
}

const CREATED = sql<Date>`article_cards.created_at`
const MERGED = sql<Date>`article_cards.merged_at`
const LIKES = sql<number>`article_cards.like_count`
const IMPACT = impactRank(sql`article_cards.compatibility`)
const LAST = sql`article_cards.article_id desc`

/**
 * Each order follows an index of all articles. The articles of one repository are found by the repository's own index
 * and then sorted: adding zero to a sorted column keeps Postgres from using the index of all articles.
 */
function orderOf({ sort, repositories }: Shape): Order {
  const isOfRepository = repositories !== 'all'
  const likes = isOfRepository ? sql`(${LIKES} + 0)` : LIKES
  const merged = isOfRepository ? sql`(${MERGED} + interval '0')` : MERGED
  if (sort === 'likes')
    return {
      ...{ score: LIKES, at: CREATED, by: sql`${likes} desc, ${CREATED} desc, ${LAST}` },
      where: (values) => [
        sql`(${likes}, ${CREATED}, article_cards.article_id) <
          (coalesce(${values.afterScore}::integer, ${MAX_INTEGER}), ${positionOf(values)})`,
        mergedSince(values),
      ],
    }
  if (sort === 'merged')
    return {
      ...{ score: sql`0`, at: MERGED, by: sql`${merged} desc, ${LAST}` },
      where: (values) => [
        sql`(${merged}, article_cards.article_id) < (${positionOf(values)})`,
        sql`${MERGED} is not null`,
        sql`${merged} >= coalesce(${values.mergedSince}::timestamptz, '-infinity')`,
      ],
    }
  if (sort === 'impact')
    return {
      ...{ score: IMPACT, at: MERGED, by: sql`${IMPACT} desc, ${MERGED} desc, ${LAST}` },
      where: (values) => [
        sql`(${IMPACT}, ${MERGED}, article_cards.article_id) <
          (coalesce(${values.afterScore}::integer, ${MAX_INTEGER}), ${positionOf(values)})`,
        sql`${MERGED} is not null`,
        mergedSince(values),
      ],
    }
  return {
    ...{ score: sql`0`, at: CREATED, by: sql`${CREATED} desc, ${LAST}` },
    where: (values) => [sql`(${CREATED}, article_cards.article_id) < (${positionOf(values)})`, mergedSince(values)],
  }
}

const MAX_INTEGER = sql.lit(2 ** 31 - 1)
const MAX_UUID = sql.lit('ffffffff-ffff-ffff-ffff-ffffffffffff')

/** The position after which the page starts; for the first page, a position before all rows. */
function positionOf({ afterAt, afterId }: Values): RawBuilder<unknown> {
  return sql`coalesce(${afterAt}::timestamptz, 'infinity'), coalesce(${afterId}::uuid, ${MAX_UUID})`
}

function mergedSince({ mergedSince: since }: Values): RawBuilder<boolean> {
  return sql`(${since}::timestamptz is null or ${MERGED} >= ${since}::timestamptz)`
}

/**
 * The conditions for where to look for articles: among the public ones, whose indexes hold nothing else, and for a
 * session also among those of private repositories that it has access to. Visibility is checked in any case.
 */
function placesOf({ repositories }: Shape, { sessionId }: Reader): RawBuilder<boolean>[][] {
  const isPublic = sql<boolean>`article_cards.is_public`
  if (sessionId === null) return [[isPublic]]
  if (repositories !== 'all') return [[]]
  const isAccessible = sql<boolean>`article_cards.host_repo_id in (
    select host_repo_id from repository_access where session_id = ${sessionId} and allowed
  )`
  return [[isPublic], [sql<boolean>`not ${isPublic}`, isAccessible]]
}

function passes(
  { isInLanguage, repositories }: Shape,
  { language, hostRepoIds, mergedUntil }: Values,
): RawBuilder<boolean>[] {
  const ids = sql<number[]>`${hostRepoIds}::bigint[]`
  return [
    ...(isInLanguage ? [sql<boolean>`article_cards.language = ${language}`] : []),
    ...(repositories === 'one' ? [sql<boolean>`article_cards.host_repo_id = (${ids})[1]`] : []),
    ...(repositories === 'some' ? [sql<boolean>`article_cards.host_repo_id = any (${ids})`] : []),
    sql`(${mergedUntil}::timestamptz is null or ${MERGED} < ${mergedUntil}::timestamptz)`,
  ]
}
