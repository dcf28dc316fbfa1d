import { type Expression, type QueryCreator, type RawBuilder, sql } from 'kysely'
import { isRecent, isReplacedBy } from './engine/clock.ts'
import type { Schema } from './schema/schema.ts'

/** An anonymous check that a repository is public is valid for this long: GitHub allows 60 such calls an hour. */
export const ANONYMOUS_MINUTES = 60
/**
 * The last visibility check is valid for this long if rate limits prevent a new one, or if anonymous checks get no
 * answer.
 */
export const UNANSWERED_MINUTES = 7 * 24 * 60

/** The current time, and how old a public visibility check may be. */
export interface Freshness {
  now: Date
  public_minutes: number
}

/** Whom a query may show rows to: a session, or the public (null). */
export interface Audience extends Freshness {
  sessionId: string | null | Expression<string>
}

/** A session's own visibility check is valid for this long. */
const FRESH_MINUTES = 5

/**
 * The audience of a session, or of the viewer of a statement: see `withViewer`. It copies the fields by name, because
 * the fields of a prepared statement's placeholders cannot be enumerated.
 */
export function viewerAudience({ now, public_minutes }: Freshness, sessionId: Expression<string> | null): Audience {
  return { sessionId, now, public_minutes }
}

/** Anonymous callers, who see only public repositories. */
export function publicAudience(fresh: Freshness): Audience {
  return viewerAudience(fresh, null)
}

const verifiedAt = sql.ref<Date>('repositories.verified_at')
const askedAt = sql.ref<Date | null>('repository_access.asked_at')

/** Whether the service itself started a public check within a minute. */
export function isJustAsked({ now }: Pick<Freshness, 'now'>) {
  return sql<boolean>`coalesce(${isRecent(sql.ref('repositories.public_checked_at'), now, 1)}, false)`
}

/**
 * Gives `minutes` for repositories that the code host forbids to the service's token, and `otherwise` for all others.
 */
export function ifForbidden(minutes: number, otherwise: RawBuilder<number>) {
  return sql<number>`(case when repositories.forbidden_at is null then ${otherwise} else ${sql.lit(minutes)} end)`
}

/**
 * Whether no public check is due: the last one is fresh, or one was just attempted. Repositories that the code host
 * forbids to the service's token are checked anonymously, and ANONYMOUS_MINUTES applies to them.
 */
export function isProven({ now, public_minutes }: Freshness) {
  return sql<boolean>`(
    repositories.private
    or ${isRecent(verifiedAt, now, ifForbidden(ANONYMOUS_MINUTES, sql`${public_minutes}::integer`))}
    or ${isJustAsked({ now })}
  )`
}

/** The column `is_unverified`: a public check is due. */
export function isUnverified(fresh: Freshness) {
  return sql<boolean>`not ${isProven(fresh)}`.as('is_unverified')
}

/** Whether the code host denied this session the repository, and no later check has shown that it is public. */
export function denied({ now }: Pick<Audience, 'now'>) {
  return sql<boolean>`(
    coalesce(not repository_access.allowed, false)
    and (repositories.private or ${isReplacedBy(verifiedAt, askedAt, now)})
  )`
}

/**
 * Whether the visibility check has expired. For a public repository anyone's check counts; otherwise only this
 * session's.
 */
export function stale({ now }: Pick<Audience, 'now'>) {
  const last = sql<Date | null>`(
    case when repositories.private or ${denied({ now })} then ${askedAt} else ${verifiedAt} end
  )`
  return sql<boolean>`coalesce(not ${isRecent(last, now, FRESH_MINUTES)}, true)`
}

/** A repository that an operator has hidden does not exist for any caller. */
const isNotHidden = sql<boolean>`repositories.hidden_by is null`

/**
 * All repositories that no operator has hidden, joined with this session's access. Nothing else is filtered: see
 * `shownTo`.
 */
export function withAccess(db: QueryCreator<Schema>, session: Pick<Audience, 'sessionId'>) {
  return joinAccess(db, session).where(isNotHidden)
}

function joinAccess(db: QueryCreator<Schema>, { sessionId }: Pick<Audience, 'sessionId'>) {
  return db
    .selectFrom('repositories')
    .leftJoin('repository_access', (join) =>
      join
        .onRef('repository_access.host_repo_id', '=', 'repositories.host_repo_id')
        .on('repository_access.session_id', '=', sessionId),
    )
}

/**
 * The one visibility rule. A private repository is visible only to a session whose own check is fresh; a public one to
 * everyone it was not denied to, unless the code host has refused to confirm for too long that it is public (`doubted`).
 */
function isShown({ now }: Pick<Audience, 'now'>) {
  return sql<boolean>`case when repositories.private
    then coalesce(repository_access.allowed and ${isRecent(askedAt, now, FRESH_MINUTES)}, false)
    else not (repositories.doubted or ${denied({ now })}) end`
}

/**
 * The repositories that the audience may see (`isShown`) and that no operator has hidden. Every query whose rows go to
 * a client must start here.
 */
export function shownTo(db: QueryCreator<Schema>, audience: Audience) {
  return audience.sessionId === null ? shownToAnybody(db) : withAccess(db, audience).where(isShown(audience))
}

/** As `shownTo` for anonymous callers, without the access table, which holds nothing for them. */
function shownToAnybody(db: QueryCreator<Schema>) {
  const query = db
    .selectFrom('repositories')
    .where(sql<boolean>`not (repositories.private or repositories.doubted)`)
    .where(isNotHidden)
  return query as unknown as ReturnType<typeof withAccess>
}

/**
 * As `shownTo`, but including repositories that an operator has hidden: callers who could see such a repository are
 * told that it is hidden, but get none of its content.
 */
export function shownOrHidden(db: QueryCreator<Schema>, audience: Audience) {
  return joinAccess(db, audience).where(isShown(audience))
}

/**
 * Content fetched while a repository was private stays hidden when the repository becomes public, because its owner may
 * have removed such content first. An operator hides an article by hiding its pull request.
 */
export function fitsRepository(content: 'pull_requests' | 'pull_request_lists' | 'article_texts') {
  const fits = sql<boolean>`(repositories.private or not ${sql.ref(`${content}.private`)})`
  return content === 'pull_requests' ? sql<boolean>`(${fits} and pull_requests.hidden_by is null)` : fits
}

/** Whether the rule shows a text to everybody, for tables that hold only such texts. The queries must join all three tables. */
export const isSeenByEverybody = sql<boolean>`not (
  repositories.private or repositories.doubted or pull_requests.private or article_texts.private
  or repositories.hidden_by is not null or pull_requests.hidden_by is not null
)`
