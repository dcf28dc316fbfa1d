import { type Kysely, sql } from 'kysely'
import { MAX_PAUSE_SECONDS } from '../../lib/maxPause.ts'
import { isPending } from '../engine/clock.ts'
import type { NewSession, Schema } from '../schema/schema.ts'
import { mayAct } from './accountState.ts'

/** A user's identity: the issuer, and the user's id at this issuer. */
export interface Owner {
  issuer: string
  subject: string
}

/** A token that was checked with its issuer is not checked again for this long. */
export const RECHECK_MINUTES = 10
export const MAX_PAUSE_MINUTES = MAX_PAUSE_SECONDS / 60

/** Keeps the first row if concurrent requests have verified the same new token. */
export async function insertSession(db: Kysely<Schema>, session: NewSession): Promise<void> {
  await db
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute()
}

interface Checks {
  verified_at?: Date
  check_after?: Date
  recheck_after?: Date
}

export async function updateChecks(db: Kysely<Schema>, id: string, checks: Checks): Promise<void> {
  await db.updateTable('sessions').set(checks).where('id', '=', id).execute()
}

/** Stores the time until which the code host rate-limits the session's token. */
export async function pauseSession(db: Kysely<Schema>, id: string, until: Date, now: Date): Promise<void> {
  const pausedUntil = sql.ref<Date | null>('paused_until')
  await db
    .updateTable('sessions')
    .set({ paused_until: until })
    .where('id', '=', id)
    .where(
      sql<boolean>`(paused_until < ${until}::timestamptz or ${isPending(pausedUntil, now, MAX_PAUSE_MINUTES)} is not true)`,
    )
    .execute()
}

interface Sealed {
  key_id: string
  sealed: Buffer
}

/** Stores the same token, sealed with another key. */
export async function reseal(db: Kysely<Schema>, id: string, sealed: Buffer, renewed: Sealed): Promise<void> {
  await db.updateTable('sessions').set(renewed).where('id', '=', id).where('sealed', '=', sealed).execute()
}

/**
 * Replaces the host token of a browser session and deletes its refresh token. Also deletes its stored repository
 * access, because the new token may see other repositories.
 */
export async function replaceToken(
  db: Kysely<Schema>,
  id: string,
  token: Sealed & { opened_by: Buffer; verified_at: Date; recheck_after: Date },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ...token, paused_until: null })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  await db.deleteFrom('refresh_tokens').where('session_id', '=', id).execute()
  await db.deleteFrom('repository_access').where('session_id', '=', id).execute()
}

/** Whether a session has expired; null if it does not expire. */
export function isExpired(now: Date) {
  return sql<boolean | null>`sessions.expires_at <= ${now}::timestamptz`
}

/** Whether a session is still live, and its account may act, for work that outlasts the request. */
export async function isLive(db: Kysely<Schema>, id: string, now: Date): Promise<boolean> {
  return (await selectLive(db, now).where('sessions.id', '=', id).executeTakeFirst()) !== undefined
}

/** The given sessions that have not ended. */
export async function findLive(db: Kysely<Schema>, ids: string[], now: Date): Promise<Set<string>> {
  const rows = await selectLive(db, now).where(sql<boolean>`sessions.id = any(${ids}::uuid[])`).execute()
  return new Set(rows.map(({ id }) => id))
}

function selectLive(db: Kysely<Schema>, now: Date) {
  return db
    .selectFrom('sessions')
    .leftJoin('users', (join) =>
      join.onRef('users.issuer', '=', 'sessions.issuer').onRef('users.subject', '=', 'sessions.subject'),
    )
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`${isExpired(now)} is not true`)
    .where(mayAct)
    .select('sessions.id')
}

/** The user's sessions, without API tokens: the current one first, then live ones, then ended ones, each newest first. */
export async function listSessionRows(db: Kysely<Schema>, current: Owner & { id: string }, now: Date) {
  return db
    .selectFrom('sessions')
    .where('issuer', '=', current.issuer)
    .where('subject', '=', current.subject)
    .where('token_scopes', 'is', null)
    .where(sql<boolean>`${isExpired(now)} is not true`)
    .select(['id', 'created_at', 'expires_at', 'revoked_at'])
    .orderBy((order) => order('id', '!=', current.id))
    .orderBy((order) => order('revoked_at', 'is not', null))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}
