import { type Expression, type QueryCreator, sql } from 'kysely'
import { isAhead, isRecent } from './engine/clock.ts'
import type { Schema } from './schema/schema.ts'

/** Who is looking: a session, or nobody in particular; and when. */
export interface Audience {
  sessionId: string | null | Expression<string>
  now: Date
}

/** For how long it counts that a session proved a repository. */
export const FRESH_MINUTES = 5

/** How old a proof may be, seen from now. For statements that run on every request. */
export interface Freshness {
  now: Date
  public_minutes: number
}

/** The viewer of a statement: see `withViewer`. */
export function viewerAudience({ now }: Freshness, sessionId: Expression<string>): Audience {
  return { sessionId, now }
}

const provenAt = sql.ref<Date>('repositories.proven_at')
const askedAt = sql.ref<Date | null>('repository_access.asked_at')

/** Whether nobody need be asked if it is still public. The code host is asked once a minute at most, for all. */
export function isProven({ now, public_minutes }: Freshness) {
  return sql<boolean>`(
    repositories.private
    or ${isRecent(provenAt, now, sql`${public_minutes}::integer`)}
    or coalesce(${isRecent(sql.ref('repositories.proof_asked_at'), now, 1)}, false)
  )`
}

/** To whom only what is public is shown. */
export const ANYBODY: Audience = { sessionId: null, now: new Date(0) }

/** Denied to this session, and nobody has been shown it in public since. */
export function denied({ now }: Pick<Audience, 'now'>) {
  return sql<boolean>`(
    coalesce(not repository_access.allowed, false)
    and (repositories.private or ${provenAt} <= ${askedAt} or ${isAhead(provenAt, now)})
  )`
}

/** Not asked about lately. For a public repository anyone's proof counts; for any other, only this session's own. */
export function stale({ now }: Pick<Audience, 'now'>) {
  const last = sql<Date | null>`(
    case when repositories.private or ${denied({ now })} then ${askedAt} else ${provenAt} end
  )`
  return sql<boolean>`coalesce(not ${isRecent(last, now, FRESH_MINUTES)}, true)`
}

/** The repositories, with what the code host said of each to this session. It hides nothing: see `shownTo`. */
export function withAccess(db: QueryCreator<Schema>, { sessionId }: Pick<Audience, 'sessionId'>) {
  return db
    .selectFrom('repositories')
    .leftJoin('repository_access', (join) =>
      join
        .onRef('repository_access.host_repo_id', '=', 'repositories.host_repo_id')
        .on('repository_access.session_id', '=', sessionId),
    )
}

/**
 * The one rule of who sees what. A private repository is there only for a session that proved it lately; a public one
 * for all it was not denied to, as long as there is no doubt that it still is public.
 */
function isShown({ now }: Pick<Audience, 'now'>) {
  return sql<boolean>`case when repositories.private
    then coalesce(repository_access.allowed and ${isRecent(askedAt, now, FRESH_MINUTES)}, false)
    else not (repositories.doubted or ${denied({ now })}) end`
}

/** The repositories that may be shown. Every query whose answer goes out begins here. */
export function shownTo(db: QueryCreator<Schema>, audience: Audience) {
  return audience === ANYBODY ? shownToAnybody(db) : withAccess(db, audience).where(isShown(audience))
}

/** The same rule, of which little is left where nobody in particular is looking. */
function shownToAnybody(db: QueryCreator<Schema>) {
  const shown = db.selectFrom('repositories').where(sql<boolean>`not (repositories.private or repositories.doubted)`)
  return shown as unknown as ReturnType<typeof withAccess>
}

/** What was read while the repository was private is not shown once it is public: it may have been cleaned before. */
export function fitsRepository(content: 'pull_requests' | 'pull_request_lists' | 'article_texts') {
  return sql<boolean>`(repositories.private or not ${sql.ref(`${content}.private`)})`
}
