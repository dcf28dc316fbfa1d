import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { Owner } from './sessions.ts'

/**
 * Permanently revokes a token and ends the browser sessions that were opened with it. Works even if the token's own
 * session is already deleted.
 */
export async function endToken(db: Kysely<Schema>, revocationHash: Buffer, now: Date): Promise<void> {
  await db.transaction().execute((trx) => revokeToken(trx, revocationHash, now))
}

/**
 * Updates sessions before `revoked_tokens`, like all code that ends sessions: another order of locks could cause
 * deadlocks.
 */
export async function revokeToken(trx: Transaction<Schema>, revocationHash: Buffer, now: Date): Promise<void> {
  const ended = await trx
    .updateTable('sessions')
    .set({ revoked_at: now, key_id: null, sealed: null })
    .where('revocation_hash', '=', revocationHash)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  await deleteRefreshTokens(
    trx,
    ended.map(({ id }) => id),
  )
  await trx.deleteFrom('sessions').where('opened_by', '=', revocationHash).execute()
  await trx
    .insertInto('revoked_tokens')
    .values({ revocation_hash: revocationHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Keeps the rows with `refused_at`, because they record why the session ended. */
export async function deleteRefreshTokens(trx: Transaction<Schema>, sessionIds: string[]): Promise<void> {
  await trx
    .deleteFrom('refresh_tokens')
    .where(sql<boolean>`session_id = any(${sessionIds}::uuid[])`)
    .where('refused_at', 'is', null)
    .execute()
}

/** The `revocation_hash` of one of the owner's sessions or API tokens; undefined if there is none with this id. */
export async function findRevocationHash(
  db: Kysely<Schema>,
  { issuer, subject }: Owner,
  id: string,
  kind: 'session' | 'api token',
) {
  const row = await db
    .selectFrom('sessions')
    .where('id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('token_scopes', kind === 'session' ? 'is' : 'is not', null)
    .select('revocation_hash')
    .executeTakeFirst()
  return row?.revocation_hash
}

export async function deleteSession(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Deletes a user's expired browser sessions; of the live ones, keeps only the newest `max`. */
export async function deleteOldOfBrowsers(db: Kysely<Schema>, { issuer, subject }: Owner, max: number, now: Date) {
  const sessions = db.deleteFrom('sessions').where('issuer', '=', issuer).where('subject', '=', subject)
  await sessions.where('is_cookie', '=', true).where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (from) =>
      from
        .selectFrom('sessions')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where('is_cookie', '=', true)
        .where('revoked_at', 'is', null)
        .select('id')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(max),
    )
    .execute()
}
