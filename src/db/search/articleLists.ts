import { type Kysely, type RawBuilder, sql } from 'kysely'
import { shownTexts } from '../articles/shownArticles.ts'
import { isRecent } from '../engine/clock.ts'
import { pullFacts } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, isUnproven } from '../visibility.ts'

/** How long a check that a repository is public counts for lists. */
const LISTED_MINUTES = 24 * 60

export type Sort = 'newest' | 'merged' | 'likes' | 'relevance'

/** What rows are sorted by, from the last one of the page before. */
export interface Position {
  /** Likes or relevance; 0 for other sorts. */
  score: number
  at: Date
  articleId: string
}

/** Which articles to list. */
export interface ListFilter {
  /** Only texts in this language. */
  language: string | undefined
  /** Shown instead of the first text of an article, if it has one in this language. */
  preferred: string | undefined
  hostRepoId: number | undefined
  mergedSince: Date | undefined
}

export interface ListPage {
  sort: Sort
  limit: number
  after: Position | undefined
}

export interface Reader extends Audience {
  userId: string | null
}

/** A page of articles, one row for each. */
export async function findArticles(db: Kysely<Schema>, filter: ListFilter, page: ListPage, reader: Reader) {
  const order = orderOf(page.sort, filter)
  return listed(db, reader)
    .where(isChosen(filter))
    .where(passes(filter))
    .where(isPublicOnly(reader))
    .where(order.where)
    .where(isAfter(page.after, order))
    .select([order.score.as('score'), order.at.as('at')])
    .orderBy(order.by)
    .limit(page.limit)
    .execute()
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

/** Lets anonymous readers use indexes that hold public texts only. The rule of visibility is checked in any case. */
function isPublicOnly({ sessionId }: Reader): RawBuilder<boolean> {
  return sessionId === null ? sql`article_cards.is_public` : sql`true`
}

function passes({ language, hostRepoId, mergedSince }: ListFilter): RawBuilder<boolean> {
  const conditions = [
    ...(language === undefined ? [] : [sql`article_cards.language = ${language}`]),
    ...(hostRepoId === undefined ? [] : [sql`article_cards.host_repo_id = ${hostRepoId}`]),
    ...(mergedSince === undefined ? [] : [sql`${MERGED} >= ${mergedSince}::timestamptz`]),
  ]
  return sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

/** Whether a text is the one that its article is listed with: no other visible text of it comes first. */
export function isChosen({ language, preferred }: Pick<ListFilter, 'language' | 'preferred'>): RawBuilder<boolean> {
  if (language !== undefined) return sql`true`
  const rank = (table: string) =>
    sql`(${sql.ref(`${table}.language`)} <> ${preferred ?? ''}, ${sql.ref(`${table}.place`)})`
  return sql`not exists (
    select from article_cards other
    where other.article_id = article_cards.article_id and (repositories.private or other.is_public)
      and ${rank('other')} < ${rank('article_cards')}
  )`
}

/** The visible texts with everything that a list shows of them. */
export function listed(db: Kysely<Schema>, reader: Reader) {
  return shownTexts(db, reader)
    .innerJoin('article_cards', (join) =>
      join
        .onRef('article_cards.article_id', '=', 'article_texts.article_id')
        .onRef('article_cards.language', '=', 'article_texts.language')
        .onRef('article_cards.host_repo_id', '=', 'articles.host_repo_id'),
    )
    .where(isListed(reader))
    .select([
      'article_cards.article_id',
      'article_cards.language',
      'article_cards.created_at',
      'article_cards.compatibility',
      'article_cards.affected',
      'article_cards.change_types',
      'article_cards.reading_minutes',
      'article_texts.kind',
      'article_texts.title',
      'article_texts.lead',
      'articles.number',
      'repositories.host_repo_id',
      'repositories.owner',
      'repositories.name',
      'pull_requests.host_url',
      'pull_requests.author_login',
    ])
    .select([
      isUnproven(reader),
      pullFacts.state.as('state'),
      pullFacts.draft.as('draft'),
      pullFacts.isMerged.as('is_merged'),
      pullFacts.mergedAt.as('merged_at'),
      pullFacts.labels.as('labels'),
      pullFacts.authorIsBot.as('author_is_bot'),
      languagesOf.as('languages'),
      likesOfArticle.as('likes'),
      isLikedBy(reader).as('is_liked'),
    ])
}

/** A public repository is listed only if it was verified within a day. */
export function isListed({ now }: Pick<Audience, 'now'>) {
  return sql<boolean>`(repositories.private or ${isRecent(sql.ref('repositories.proven_at'), now, LISTED_MINUTES)})`
}

const languagesOf = sql<string[]>`array (
  select other.language from article_texts other
  where other.article_id = article_texts.article_id and (repositories.private or not other.private)
  order by other.language
)`

/** The likes of all texts: the counted ones plus the changes not counted yet. */
const likesOfArticle = sql<number>`(
  article_cards.like_count
  + coalesce((select sum(change) from like_changes where like_changes.article_id = article_cards.article_id), 0)
)::integer`

function isLikedBy({ userId }: Reader) {
  return userId === null
    ? sql<boolean | null>`null::boolean`
    : sql<boolean | null>`exists (
        select from likes where likes.user_id = ${userId}
          and likes.article_id = article_cards.article_id and likes.language = article_cards.language
      )`
}
