import { type Kysely, sql } from 'kysely'
import { type CredentialKeys, withViewer } from '../accounts/viewers.ts'
import { shownTexts } from '../articles/shownArticles.ts'
import { boundsOf, type PageRequest, type PageShape, pageShape } from '../engine/pagination.ts'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import { type PullState, pullState } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import { type Freshness, isUnverified, publicAudience } from '../visibility.ts'
import { isLikedBy } from './likes.ts'
import { type Windows, windowsAt } from './windows.ts'

export type Period = 'all_time' | 'monthly' | 'weekly' | 'daily'

export interface RankedText extends PullState {
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
  /** Null for anonymous readers. */
  is_liked: boolean | null
}

interface Query extends PageRequest {
  period: Period
  language: string
}

/** Who reads: the sender of a token that the statement authenticates, a known account, or an anonymous reader. */
export type RankingReader = { token: CredentialKeys } | { userId: string } | null

interface Shape extends PageShape {
  period: Period
  isAll: boolean
  reader: 'token' | 'account' | 'anonymous'
}

/** A page of the ranking; undefined if the reader's token is not authenticated. */
export async function findRanking(db: Kysely<Schema>, query: Query, fresh: Freshness, reader: RankingReader) {
  const { period, language } = query
  const isToken = reader !== null && 'token' in reader
  const by = reader === null ? 'anonymous' : isToken ? 'token' : 'account'
  const shape: Shape = { period, isAll: language === 'all', reader: by, ...pageShape(query) }
  const times = { ...fresh, ...windowsAt(fresh.now) }
  const keys = isToken ? reader.token : ({} as CredentialKeys)
  const account = { userId: reader && !isToken ? reader.userId : null }
  const rows = await rankings(db, shape, query, times, keys, account)
  const [first] = rows
  if (!first) return undefined
  const { user_id, total, behind } = first
  return { userId: user_id, total, isBehind: behind, rows: rows.filter(isRanked) }
}

type Row = Awaited<ReturnType<typeof rankings>>[number]

/** An empty page has one row without a text. */
function isRanked(row: Row): row is Row & RankedText {
  return row.article_id !== null
}

type Times = Freshness & Windows
type Account = { userId: string | null }

const rankings = preparedInShapes(
  (db, shape: Shape, query: Query, times: Times, keys: CredentialKeys, account: Account) =>
    readerOf(db, shape, times, keys, account)
      .selectFrom('viewer')
      .leftJoin(sql<RankedText>`(${rankedTexts(db, shape, query, times)})`.as('placed'), (join) => join.onTrue())
      .selectAll('placed')
      .select([
        sql<string | null>`viewer.user_id`.as('user_id'),
        totalOf(shape, query).as('total'),
        // Whether the counts are older than the current minute, or visibility changes are not applied yet.
        isBehind(shape, times).as('behind'),
        (shape.reader === 'anonymous'
          ? sql<boolean | null>`null::boolean`
          : isLikedBy(sql`viewer.user_id`, sql`placed.article_id`, sql`placed.language`)
        ).as('is_liked'),
      ])
      .orderBy(sql`placed.position`),
)

/** The table `viewer` with the account of the reader, or null for an anonymous reader. */
function readerOf(db: Kysely<Schema>, { reader }: Shape, times: Times, keys: CredentialKeys, { userId: id }: Account) {
  if (reader === 'token') return withViewer(db, keys, times)
  const userId = sql<string | null>`${id}::uuid`
  const known = db.with('viewer', (inner) => inner.selectNoFrom(userId.as('user_id')))
  return known as unknown as ReturnType<typeof withViewer>
}

function totalOf({ period, isAll }: Shape, query: Query) {
  const language = isAll ? sql.lit('all') : query.language
  return sql<number>`coalesce((select ${sql.ref(period)} from ranking_totals where language = ${language}), 0)`
}

function isBehind({ period }: Shape, wanted: Windows) {
  const isReviewDue = sql<boolean>`exists (select from ranking_reviews)`
  if (period === 'all_time') return isReviewDue
  const from = `${period}_from` as const
  return sql<boolean>`(exists (select from ranking_windows where ${sql.ref(from)} < ${wanted[from]}) or ${isReviewDue})`
}

/** Reads the ranks from an index alone, then looks each text up and drops those no longer visible. */
function rankedTexts(db: Kysely<Schema>, shape: Shape, query: Query, fresh: Freshness) {
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
      ...pullState,
    ])
    .offset(sql.lit(0))
  return sql`
      select places.article_id, places.language, places.likes, shown.*, row_number() over () as position
      from ${places} places cross join lateral (${lookup}) shown
    `
}
