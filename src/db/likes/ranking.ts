import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type CredentialKeys, withViewer } from '../accounts/viewers.ts'
import { shownTexts } from '../articles/shownArticles.ts'
import { jsonArray, jsonObject } from '../engine/json.ts'
import { boundsOf, type PageRequest, type PageShape, pageShape } from '../engine/pagination.ts'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import { type PullState, pullState } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import { type Freshness, isUnverified, publicAudience } from '../visibility.ts'
import { isLikedBy } from './likes.ts'
import { type Windows, windowsAt } from './windows.ts'

export type Period = 'all_time' | 'monthly' | 'weekly' | 'daily'

export interface RankingRow {
  /** The articles on the page, as JSON. */
  items: string
  /** The number of ranks on all pages. */
  total: number
  user_id: string | null
  /** Whether the counts are older than the current minute, or visibility changes are not applied yet. */
  behind: boolean
  /** The repositories on the page whose visibility check is due. */
  unverified: number[] | null
}

interface Query extends PageRequest {
  language: string
}

/** A query for JSON, which has the URL of each article's page: `articlePages` with the article's id. */
interface JsonQuery extends Query {
  articlePages: string
}

interface Shape extends PageShape {
  period: Period
  isAll: boolean
}

function shapeOf(period: Period, query: Query): Shape {
  return { period, isAll: query.language === 'all', ...pageShape(query) }
}

/** A page of the ranking, with the viewer's account if `keys` are given; no row if that viewer is not authenticated. */
export function findRanking(
  db: Kysely<Schema>,
  period: Period,
  query: JsonQuery,
  fresh: Freshness,
  keys: CredentialKeys | null,
) {
  const shape = { hasViewer: keys !== null, ...shapeOf(period, query) }
  return rankings(db, shape, query, { ...fresh, ...windowsAt(fresh.now) }, keys ?? NO_KEYS)
}

const NO_KEYS = {} as CredentialKeys

type ApiShape = Shape & { hasViewer: boolean }
type Times = Freshness & Windows

const rankings = preparedInShapes((db, shape: ApiShape, query: JsonQuery, fresh: Times, keys: CredentialKeys) => {
  const columns = [
    sql<string>`page.items`.as('items'),
    totalOf(shape, query).as('total'),
    sql<number[] | null>`page.unverified`.as('unverified'),
    isBehind(shape, fresh).as('behind'),
  ] as const
  const page = (liked: RawBuilder<unknown>) => sql`lateral ${pageOf(db, shape, query, fresh, liked)}`.as('page')
  if (!shape.hasViewer)
    return db.selectFrom(page(sql`null`)).select(columns).select(sql<string | null>`null`.as('user_id'))
  return withViewer(db, keys, fresh)
    .selectFrom(['viewer', page(isPlacedLikedBy(sql`viewer.user_id`))])
    .select(columns)
    .select(sql<string | null>`viewer.user_id`.as('user_id'))
})

/** The number of ranks, and whether the counts are behind, as in `findRanking`. */
export async function findRankingState(db: Kysely<Schema>, period: Period, query: Query, now: Date) {
  const [state] = await states(db, shapeOf(period, query), query, windowsAt(now))
  if (!state) throw new Error('The ranking query returned no row.')
  return state
}

const states = preparedInShapes((db, shape: Shape, query: Query, wanted: Windows) =>
  db.selectNoFrom([totalOf(shape, query).as('total'), isBehind(shape, wanted).as('behind')]),
)

/** The rows of the page that `findRanking` returns as JSON; `userId` is null for anonymous readers. */
export function findRankingRows(
  db: Kysely<Schema>,
  period: Period,
  query: Query,
  fresh: Freshness,
  userId: string | null,
) {
  return rankingRows(db, shapeOf(period, query), query, fresh, { userId })
}

type Reader = { userId: string | null }

const rankingRows = preparedInShapes((db, shape: Shape, query: Query, fresh: Freshness, reader: Reader) =>
  db
    .selectFrom(sql<PlacedText>`(${placedTexts(db, shape, query, fresh, true)})`.as('placed'))
    .selectAll('placed')
    .select(isPlacedLikedBy(sql`${reader.userId}::uuid`).as('is_liked'))
    .orderBy('placed.position'),
)

function isPlacedLikedBy(user: RawBuilder<unknown>) {
  return isLikedBy(user, sql`placed.article_id`, sql`placed.language`)
}

function totalOf({ period, isAll }: Shape, query: Query) {
  const language = isAll ? sql.lit('all') : query.language
  return sql<number>`coalesce((select ${sql.ref(period)} from ranking_totals where language = ${language}), 0)::integer`
}

function isBehind({ period }: Shape, wanted: Windows) {
  const isReviewDue = sql<boolean>`exists (select from ranking_reviews)`
  if (period === 'all_time') return isReviewDue
  const from = `${period}_from` as const
  return sql<boolean>`(exists (select from ranking_windows where ${sql.ref(from)} < ${wanted[from]}) or ${isReviewDue})`
}

interface PlacedText extends PullState {
  article_id: string
  language: string
  likes: number
  host_repo_id: number
  is_unverified: boolean
  owner: string
  name: string
  number: number
  title: string
  lead: string | null
  position: number
}

/** Reads the ranks from an index alone, then looks each text up and drops those no longer visible. */
function placedTexts(db: Kysely<Schema>, shape: Shape, query: Query, fresh: Freshness, hasState = false) {
  const count = sql.ref(shape.period)
  const { limit, limitClause } = boundsOf(shape, query)
  const ordered = sql`(
    select article_id, language, ${count} as likes from like_counts
    where ranked and ${count} > 0 ${shape.isAll ? sql`` : sql`and language = ${query.language}`}
    order by ${count} desc, article_created_at desc, article_id, language
    ${limitClause}
  )`
  const places = shape.isPlain
    ? ordered
    : sql`(
        select * from (select *, row_number() over () as place from ${ordered} ordered) numbered where place <= ${limit}
      )`
  // A lateral lookup per rank: for a plain join, Postgres would scan small tables in full.
  const lookup = shownTexts(db, publicAudience(fresh))
    .where(sql<boolean>`articles.id = places.article_id`)
    .where(sql<boolean>`article_texts.language = places.language`)
    .select([
      'repositories.host_repo_id',
      isUnverified(fresh),
      'repositories.owner',
      'repositories.name',
      'articles.number',
      'article_texts.title',
      'article_texts.lead',
    ])
    .$if(hasState, (texts) => texts.select(pullState))
    .offset(sql.lit(0))
  return sql`
      select *, row_number() over () as position
      from ${places} places cross join lateral (${lookup}) shown
    `
}

function pageOf(db: Kysely<Schema>, shape: Shape, query: JsonQuery, fresh: Freshness, liked: RawBuilder<unknown>) {
  const { offset } = boundsOf(shape, query)
  const item = jsonObject({
    rank: sql`position + ${offset}`,
    articleId: sql`article_id`,
    languageCode: sql`language`,
    aiGeneratedTitle: sql`title`,
    lead: sql`lead`,
    repositoryFullName: sql`owner || '/' || name`,
    owner: sql`owner`,
    repo: sql`name`,
    prNumber: sql`number`,
    url: sql`${query.articlePages}::text || article_id || '?language=' || language`,
    likeCount: sql`likes`,
    periodLikeCount: sql`likes`,
    liked,
  })
  return sql`(
    select
      ${jsonArray(item, sql`position`)} as items,
      array_agg(host_repo_id) filter (where is_unverified) as unverified
    from (${placedTexts(db, shape, query, fresh)}) placed
  )`
}
