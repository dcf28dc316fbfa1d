import { type Expression, type Kysely, type QueryCreator, sql } from 'kysely'
import { type CredentialKeys, withViewer } from '../accounts/viewers.ts'
import { shownTexts } from '../articles/shownArticles.ts'
import { jsonArray, jsonObject, jsonTime } from '../engine/json.ts'
import { boundsOf, type PageRequest, type PageShape, pageShape } from '../engine/pagination.ts'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import { type PullState, pullState } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import {
  type Audience,
  denied,
  type Freshness,
  isUnverified,
  stale,
  viewerAudience,
  withAccess,
} from '../visibility.ts'
import { likesOf } from './likes.ts'

interface LikedQuery extends PageRequest {
  order: 'asc' | 'desc'
  language: string | undefined
  /** The like after which the page starts, instead of an offset. */
  afterAt?: Date | undefined
  afterId?: string | undefined
}

/** A query for JSON, which has the URL of each article's page: `articlePages` with the article's id. */
interface JsonQuery extends LikedQuery {
  articlePages: string
}

interface Shape extends PageShape {
  order: 'asc' | 'desc'
  isAll: boolean
  isAfter: boolean
}

/** The session that texts are shown to, and the account whose likes are listed. */
interface Liker extends Audience {
  userId: string | Expression<string>
}

function shapeOf(query: LikedQuery): Shape {
  const { order, language, afterId } = query
  return { order, isAll: language === undefined, isAfter: afterId !== undefined, ...pageShape(query) }
}

/** A page of the viewer's liked articles with the total; no row if the viewer is not authenticated. */
export async function findLikedArticles(db: Kysely<Schema>, query: JsonQuery, fresh: Freshness, keys: CredentialKeys) {
  const [row] = await pages(db, shapeOf(query), query, fresh, keys)
  return row
}

const pages = preparedInShapes((db, shape: Shape, query: JsonQuery, fresh: Freshness, keys: CredentialKeys) => {
  const liker = { ...viewerAudience(fresh, sql`viewer.session_id`), userId: sql<string>`viewer.user_id` }
  const rows = sql<LikedPage>`lateral (${page(db, shape, query, liker)})`
  return withViewer(db, keys, fresh)
    .selectFrom(['viewer', rows.as('page')])
    .select([
      'viewer.user_id',
      'page.items',
      'page.has_more',
      'page.last_at',
      'page.last_id',
      'page.unverified',
      total(db, shape, query, liker).as('total'),
      hidden(db, shape, query, liker).as('hidden'),
    ])
})

/**
 * The total of a known viewer's liked articles, and the repositories that this session may be unable to see only
 * because its visibility check is stale.
 */
export async function findLikedState(db: Kysely<Schema>, query: LikedQuery, liker: Liker) {
  const [state] = await states(db, shapeOf(query), query, liker)
  if (!state) throw new Error('The query of the liked articles returned no row.')
  return state
}

const states = preparedInShapes((db, shape: Shape, query: LikedQuery, liker: Liker) =>
  db.selectNoFrom([total(db, shape, query, liker).as('total'), hidden(db, shape, query, liker).as('hidden')]),
)

/** The rows of the page that `findLikedArticles` returns as JSON, for a known viewer. */
export function findLikedRows(db: Kysely<Schema>, query: LikedQuery, liker: Liker) {
  return likedRows(db, shapeOf(query), query, liker)
}

const likedRows = preparedInShapes((db, shape: Shape, query: LikedQuery, liker: Liker) =>
  db
    .selectFrom(sql<LikedText>`(${orderedTexts(db, shape, query, liker, true)})`.as('ordered'))
    .where(sql<boolean>`place <= ${boundsOf(shape, query).limit}`)
    .selectAll('ordered')
    .select(likesOf(sql`ordered.article_id`, sql`ordered.language`).as('likes'))
    .orderBy('ordered.place'),
)

interface LikedPage {
  /** The articles on the page, as JSON. */
  items: string
  has_more: boolean
  /** The last like on the page; null on an empty one. */
  last_at: Date | null
  last_id: string | null
  /** The public repositories on the page whose visibility check is due. */
  unverified: number[] | null
}

function liked(db: QueryCreator<Schema>, { isAll }: Shape, { language }: LikedQuery, liker: Liker) {
  return shownTexts(db, liker)
    .innerJoin('likes', (join) =>
      join
        .onRef('likes.article_id', '=', 'article_texts.article_id')
        .onRef('likes.language', '=', 'article_texts.language'),
    )
    .where(sql<boolean>`likes.user_id = ${liker.userId}`)
    .where(isAll ? sql.lit(true) : sql<boolean>`likes.language = ${language}`)
}

/** Counting all likes is cheap, because one user has few. */
function total(db: QueryCreator<Schema>, shape: Shape, query: LikedQuery, liker: Liker) {
  return sql<number>`(${liked(db, shape, query, liker).select(sql`count(*)::integer`.as('total'))})`
}

/**
 * The repositories of liked articles that this session may be unable to see only because its visibility check is stale.
 */
function hidden(db: QueryCreator<Schema>, { isAll }: Shape, { language }: LikedQuery, liker: Liker) {
  const ids = withAccess(db, liker)
    .innerJoin('articles', 'articles.host_repo_id', 'repositories.host_repo_id')
    .innerJoin('likes', 'likes.article_id', 'articles.id')
    .where(sql<boolean>`likes.user_id = ${liker.userId}`)
    .where(isAll ? sql.lit(true) : sql<boolean>`likes.language = ${language}`)
    .where(sql<boolean>`(repositories.private or repositories.doubted or ${denied(liker)})`)
    .where(stale(liker))
    .select(sql`array_agg(distinct repositories.host_repo_id)`.as('hidden'))
  return sql<number[] | null>`(${ids})`
}

interface LikedText extends PullState {
  article_id: string
  language: string
  title: string
  lead: string | null
  owner: string
  name: string
  number: number
  host_repo_id: number
  is_unverified: boolean
  place: number
}

/** The likes of the page, and the one that follows it. */
function orderedTexts(db: QueryCreator<Schema>, shape: Shape, query: LikedQuery, liker: Liker, hasState = false) {
  const order = sql.raw(shape.order)
  const { offset } = boundsOf(shape, query)
  const sign = sql.raw(shape.order === 'asc' ? '>' : '<')
  const texts = liked(db, shape, query, liker)
    .$if(hasState, (all) => all.select(pullState))
    .$if(shape.isAfter, (all) =>
      all.where(
        sql<boolean>`(likes.liked_at, likes.id) ${sign} (${query.afterAt}::timestamptz, ${query.afterId}::uuid)`,
      ),
    )
  const rows = texts.select([
    'repositories.host_repo_id',
    'repositories.owner',
    'repositories.name',
    isUnverified(liker),
    'articles.number',
    'article_texts.title',
    'article_texts.lead',
    'likes.article_id',
    'likes.language',
    'likes.liked_at',
    'likes.id',
  ])
  return sql`
      select *, row_number() over () as place from (
        ${rows} order by likes.liked_at ${order}, likes.id ${order} limit ${sql.lit(shape.maxRows + 1)} offset ${offset}
      ) bounded
    `
}

function page(db: QueryCreator<Schema>, shape: Shape, query: JsonQuery, liker: Liker) {
  const { limit } = boundsOf(shape, query)
  const item = jsonObject({
    articleId: sql`article_id`,
    languageCode: sql`language`,
    likedAt: jsonTime(sql`liked_at`),
    aiGeneratedTitle: sql`title`,
    lead: sql`lead`,
    repositoryFullName: sql`owner || '/' || name`,
    owner: sql`owner`,
    repo: sql`name`,
    prNumber: sql`number`,
    url: sql`${query.articlePages}::text || article_id || '?language=' || language`,
    likeCount: likesOf(sql`ordered.article_id`, sql`ordered.language`),
  })
  return sql`
    select
      ${jsonArray(item, sql`place`, sql`place <= ${limit}`)} as items,
      coalesce(max(place) > ${limit}, false) as has_more,
      max(liked_at) filter (where place = ${limit}) as last_at,
      (array_agg(id) filter (where place = ${limit}))[1] as last_id,
      array_agg(distinct host_repo_id) filter (where is_unverified and place <= ${limit}) as unverified
    from (${orderedTexts(db, shape, query, liker)}) ordered`
}
