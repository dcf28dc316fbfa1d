import { type Kysely, type QueryCreator, sql } from 'kysely'
import { type CredentialKeys, withViewer } from '../accounts/viewers.ts'
import { shownTexts } from '../articles/shownArticles.ts'
import { boundsOf, type PageRequest, type PageShape, pageShape } from '../engine/pagination.ts'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import { type PullState, pullState } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import { denied, type Freshness, isUnverified, stale, viewerAudience, withAccess } from '../visibility.ts'
import { likesOf } from './likes.ts'

export interface LikedText extends PullState {
  article_id: string
  language: string
  liked_at: Date
  likes: number
  title: string
  lead: string | null
  owner: string
  name: string
  number: number
  host_repo_id: number
  is_unverified: boolean
}

interface Query extends PageRequest {
  order: 'asc' | 'desc'
  language: string | undefined
}

/** Who reads: the sender of a token that the statement authenticates, or a known session. */
export type LikedReader = { token: CredentialKeys } | { sessionId: string; userId: string }

interface Shape extends PageShape {
  order: 'asc' | 'desc'
  isAll: boolean
  isToken: boolean
}

/** A page of the reader's liked articles; undefined if the reader's token is not authenticated. */
export async function findLikedArticles(db: Kysely<Schema>, query: Query, fresh: Freshness, reader: LikedReader) {
  const { order, language } = query
  const isToken = 'token' in reader
  const shape: Shape = { order, isAll: language === undefined, isToken, ...pageShape(query) }
  const keys = isToken ? reader.token : ({} as CredentialKeys)
  const rows = await pages(db, shape, query, fresh, keys, isToken ? NO_SESSION : reader)
  const [first] = rows
  if (!first) return undefined
  const { user_id, total, hidden } = first
  return { userId: user_id, total, hidden, rows: rows.filter(hasText) }
}

const NO_SESSION = { sessionId: '', userId: '' }
type Row = Awaited<ReturnType<typeof pages>>[number]

/** An empty page has one row without a text. */
function hasText(row: Row): row is Row & LikedText {
  return row.article_id !== null
}

const pages = preparedInShapes(
  (db, shape: Shape, query: Query, fresh: Freshness, keys: CredentialKeys, session: typeof NO_SESSION) =>
    readerOf(db, shape, fresh, keys, session)
      .selectFrom('viewer')
      .leftJoin(sql<LikedText>`(${page(db, shape, query, fresh)})`.as('ordered'), (join) => join.onTrue())
      .selectAll('ordered')
      .select([
        'viewer.user_id',
        likesOf(sql`ordered.article_id`, sql`ordered.language`).as('likes'),
        total(db, shape, query, fresh).as('total'),
        hidden(db, shape, query, fresh).as('hidden'),
      ])
      .orderBy(sql`ordered.place`),
)

/** The table `viewer` with session and account of the reader. */
function readerOf(
  db: Kysely<Schema>,
  { isToken }: Shape,
  fresh: Freshness,
  keys: CredentialKeys,
  { sessionId, userId }: typeof NO_SESSION,
) {
  if (isToken) return withViewer(db, keys, fresh)
  const columns = [
    sql<string>`${sessionId}::uuid`.as('session_id'),
    sql<string>`${userId}::uuid`.as('user_id'),
  ] as const
  return db.with('viewer', (inner) => inner.selectNoFrom(columns)) as unknown as ReturnType<typeof withViewer>
}

/** The reader, in subqueries that Postgres evaluates once for a statement instead of once for each of its rows. */
const USER_ID = sql<string>`(select user_id from viewer)`
function audience(fresh: Freshness) {
  return viewerAudience(fresh, sql<string>`(select session_id from viewer)`)
}

function liked(db: QueryCreator<Schema>, { isAll }: Shape, { language }: Query, fresh: Freshness) {
  return shownTexts(db, audience(fresh))
    .innerJoin('likes', (join) =>
      join
        .onRef('likes.article_id', '=', 'article_texts.article_id')
        .onRef('likes.language', '=', 'article_texts.language'),
    )
    .where(sql<boolean>`likes.user_id = ${USER_ID}`)
    .where(isAll ? sql.lit(true) : sql<boolean>`likes.language = ${language}`)
}

/** Counting all likes is cheap, because one user has few. */
function total(db: QueryCreator<Schema>, shape: Shape, query: Query, fresh: Freshness) {
  return sql<number>`(${liked(db, shape, query, fresh).select(sql`count(*)`.as('total'))})`
}

/**
 * The repositories of liked articles that this session may be unable to see only because its visibility check is stale.
 */
function hidden(db: QueryCreator<Schema>, { isAll }: Shape, { language }: Query, fresh: Freshness) {
  const reader = audience(fresh)
  const ids = withAccess(db, reader)
    .innerJoin('articles', 'articles.host_repo_id', 'repositories.host_repo_id')
    .innerJoin('likes', 'likes.article_id', 'articles.id')
    .where(sql<boolean>`likes.user_id = ${USER_ID}`)
    .where(isAll ? sql.lit(true) : sql<boolean>`likes.language = ${language}`)
    .where(sql<boolean>`(repositories.private or repositories.doubted or ${denied(reader)})`)
    .where(stale(reader))
    .select(sql`array_agg(distinct repositories.host_repo_id)`.as('hidden'))
  return sql<number[] | null>`(${ids})`
}

function page(db: QueryCreator<Schema>, shape: Shape, query: Query, fresh: Freshness) {
  const order = sql.raw(shape.order)
  const { limit, limitClause } = boundsOf(shape, query)
  const texts = liked(db, shape, query, fresh).select([
    'repositories.host_repo_id',
    'repositories.owner',
    'repositories.name',
    isUnverified(fresh),
    'articles.number',
    'article_texts.title',
    'article_texts.lead',
    'likes.article_id',
    'likes.language',
    'likes.liked_at',
    ...pullState,
  ])
  return sql`
    select * from (
      select *, row_number() over () as place from (
        ${texts} order by likes.liked_at ${order}, likes.id ${order} ${limitClause}
      ) bounded
    ) numbered where place <= ${limit}`
}
