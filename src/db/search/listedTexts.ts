import { type Kysely, type RawBuilder, sql } from 'kysely'
import { shownArticles, shownTexts } from '../articles/shownArticles.ts'
import { isRecent } from '../engine/clock.ts'
import { isLikedBy } from '../likes/likes.ts'
import { pullFacts, pullState } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, ifForbidden, isUnverified, UNANSWERED_MINUTES } from '../visibility.ts'

/** For lists, a check that a repository is public is valid for this long. */
export const LISTED_MINUTES = 24 * 60

export interface Reader extends Audience {
  userId: string | null
}

/**
 * The properties of a reader that need a statement of their own: a prepared statement gets placeholders as fields,
 * which are never null.
 */
export interface ReaderShape {
  isSession: boolean
  isUser: boolean
}

export function readerShape({ sessionId, userId }: Reader): ReaderShape {
  return { isSession: sessionId !== null, isUser: userId !== null }
}

export function readerIn(shape: ReaderShape, { sessionId, userId, now, public_minutes }: Reader): Reader {
  return {
    sessionId: shape.isSession ? sessionId : null,
    userId: shape.isUser ? userId : null,
    ...{ now, public_minutes },
  }
}

/** Which text of an article to list. */
export interface TextChoice {
  /** Only texts in this language. */
  language: string | undefined
  /** If an article has a text in this language, it is listed instead of the article's first text. */
  preferred: string | undefined
}

/**
 * Everything that a list shows of the texts found by a subquery. A lateral join looks up each text by itself: Postgres
 * would otherwise join all articles of all repositories once its plan no longer depends on the parameters.
 */
export function listedTexts<Found extends object>(
  db: Kysely<Schema>,
  texts: RawBuilder<Found>,
  isText: RawBuilder<boolean>,
  reader: Reader,
) {
  return db
    .selectFrom(texts.as('found'))
    .innerJoinLateral(listed(db, reader).where(isText).limit(1).as('text'), (join) => join.onTrue())
    .selectAll('text')
}

/** The condition `isText` of `listedTexts` for texts that were found by article and language. */
export const isFound = sql<boolean>`
  (article_cards.article_id, article_cards.language) = (found.article_id, found.language)`

/**
 * Whether a card is visible and represents its article in the list. This is a scalar subquery, so that Postgres reads
 * the cards in the order of an index, and only as many as a page needs.
 */
export function isVisibleCard(db: Kysely<Schema>, choice: TextChoice, reader: Reader): RawBuilder<boolean> {
  const visible = shownArticles(db, reader)
    .where(isListed(reader))
    .where(sql<boolean>`articles.id = article_cards.article_id`)
    .where(sql<boolean>`(repositories.private or article_cards.is_public)`)
    .where(isChosen(choice))
    .select(sql`true`.as('is_visible'))
  return sql`(${visible})`
}

/** Whether a text represents its article in the list: no other visible text of the article comes first. */
export function isChosen({ language, preferred }: TextChoice): RawBuilder<boolean> {
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
function listed(db: Kysely<Schema>, reader: Reader) {
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
    .select(pullState)
    .select([
      isUnverified(reader),
      pullFacts.isMerged.as('is_merged'),
      pullFacts.labels.as('labels'),
      pullFacts.authorIsBot.as('author_is_bot'),
      languagesOf.as('languages'),
      likesOfArticle.as('likes'),
      isLikedByReader(reader).as('is_liked'),
    ])
}

/** A public repository is listed only if it was verified within a day, or a week if the service's token may not see it. */
export function isListed({ now }: Pick<Audience, 'now'>) {
  const minutes = ifForbidden(UNANSWERED_MINUTES, sql.lit(LISTED_MINUTES))
  return sql<boolean>`(repositories.private or ${isRecent(sql.ref('repositories.verified_at'), now, minutes)})`
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

function isLikedByReader({ userId }: Reader) {
  if (userId === null) return sql<boolean | null>`null::boolean`
  return isLikedBy(sql`${userId}`, sql`article_cards.article_id`, sql`article_cards.language`)
}
