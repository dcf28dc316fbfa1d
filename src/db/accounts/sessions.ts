import { type Kysely, sql } from 'kysely'
import { MAX_REST_SECONDS } from '../../host/errors.ts'
import { isPending } from '../engine/clock.ts'
import { prepared } from '../engine/prepared/prepared.ts'
import type { NewSession, Schema, UserRow } from '../schema/schema.ts'

/** An identity as its issuer names it. */
export interface Owner {
  issuer: string
  subject: string
}

/** How long a check of a token with its issuer counts. */
export const RECHECK_MINUTES = 10
export const MAX_REST_MINUTES = MAX_REST_SECONDS / 60

export type KnownSession = NonNullable<Awaited<ReturnType<typeof findToken>>['session']>

export interface TokenHashes {
  token_hash: Buffer
  revocation_hash: Buffer
}

const USER_COLUMNS = [
  'users.id as user_id',
  'users.host_user_id',
  'users.host_username',
  'users.host_display_name',
  'users.email',
  'users.avatar_url',
  'users.language',
  'users.created_at',
  'users.updated_at',
] as const

const selectToken = prepared((db, { token_hash, revocation_hash }: TokenHashes) => {
  const asked = sql<TokenHashes>`(select ${token_hash}::bytea as token_hash, ${revocation_hash}::bytea as revocation_hash)`
  return db
    .selectFrom(asked.as('asked'))
    .leftJoin('revoked_tokens', 'revoked_tokens.revocation_hash', 'asked.revocation_hash')
    .leftJoin('sessions', 'sessions.token_hash', 'asked.token_hash')
    .leftJoin('users', (join) =>
      join.onRef('users.issuer', '=', 'sessions.issuer').onRef('users.subject', '=', 'sessions.subject'),
    )
    .select(USER_COLUMNS)
    .select([
      'revoked_tokens.revocation_hash as ended',
      'sessions.id',
      'sessions.issuer',
      'sessions.subject',
      'sessions.verified_at',
      sql<Date | null>`coalesce(sessions.recheck_after, sessions.check_after)`.as('check_after'),
      'sessions.expires_at',
      'sessions.rest_until',
      'sessions.key_id',
      'sessions.sealed',
    ])
})

/** Whether a token is revoked, and its session with the account, if any. */
export async function findToken(db: Kysely<Schema>, hashes: TokenHashes) {
  const [row] = await selectToken(db, hashes)
  if (!row) throw new Error('The token query returned no row.')
  const { ended, id, issuer, subject, verified_at, check_after, expires_at, rest_until, ...others } = row
  const { key_id, sealed, user_id, ...profile } = others
  const isKnown = id !== null && issuer !== null && subject !== null && verified_at !== null
  const user = user_id === null ? null : ({ id: user_id, issuer, subject, ...profile } as UserRow)
  return {
    ended: ended !== null,
    session: isKnown
      ? { id, issuer, subject, verified_at, check_after, expires_at, rest_until, key_id, sealed, user }
      : null,
  }
}

/** Concurrent requests may verify the same new token: the first row stays. */
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

/** Stores until when the code host rate-limits the session's token. */
export async function restSession(db: Kysely<Schema>, id: string, until: Date, now: Date): Promise<void> {
  const restUntil = sql.ref<Date | null>('rest_until')
  await db
    .updateTable('sessions')
    .set({ rest_until: until })
    .where('id', '=', id)
    .where(
      sql<boolean>`(rest_until < ${until}::timestamptz or ${isPending(restUntil, now, MAX_REST_MINUTES)} is not true)`,
    )
    .execute()
}

interface Sealed {
  key_id: string
  sealed: Buffer
}

/** Stores the same token, sealed with another key. */
export async function reseal(db: Kysely<Schema>, { id, sealed }: Pick<KnownSession, 'id' | 'sealed'>, renewed: Sealed) {
  await db.updateTable('sessions').set(renewed).where('id', '=', id).where('sealed', '=', sealed).execute()
}

/** Gives a browser session another host token. Its repository access is cleared: the new token may see others. */
export async function replaceToken(
  db: Kysely<Schema>,
  id: string,
  token: Sealed & { opened_by: Buffer; verified_at: Date; recheck_after: Date },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ...token, rest_until: null })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  await db.deleteFrom('repository_access').where('session_id', '=', id).execute()
}

/** Whether a session is still live, for work that outlasts the request. */
export async function isLive(db: Kysely<Schema>, id: string, now: Date): Promise<boolean> {
  return (await selectLive(db, now).where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The given sessions that have not ended. */
export async function findLive(db: Kysely<Schema>, ids: string[], now: Date): Promise<Set<string>> {
  const rows = await selectLive(db, now).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  return new Set(rows.map(({ id }) => id))
}

function selectLive(db: Kysely<Schema>, now: Date) {
  return db
    .selectFrom('sessions')
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .select('id')
}

/** The current session first, then live ones, then ended ones; newest first within each. */
export async function listSessionRows(db: Kysely<Schema>, current: Owner & { id: string }, now: Date) {
  return db
    .selectFrom('sessions')
    .where('issuer', '=', current.issuer)
    .where('subject', '=', current.subject)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .select(['id', 'created_at', 'expires_at', 'revoked_at'])
    .orderBy((order) => order('id', '!=', current.id))
    .orderBy((order) => order('revoked_at', 'is not', null))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}
