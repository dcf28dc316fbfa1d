import { sql, type Transaction } from 'kysely'
import type { Owner } from '../accounts/sessions.ts'
import type { Schema } from '../schema/schema.ts'

/**
 * The hashes of a user's tokens whose sessions have ended, and of those that opened a browser session. Ended sessions
 * are kept for 30 days; a revoked token alone does not tell whose it is.
 */
export async function findEndedTokens(trx: Transaction<Schema>, { issuer, subject }: Owner): Promise<Buffer[]> {
  const ofOwner = trx.selectFrom('sessions').where('issuer', '=', issuer).where('subject', '=', subject)
  const own = await ofOwner
    .where('is_cookie', '=', false)
    .where('token_scopes', 'is', null)
    .where('revoked_at', 'is not', null)
    .select('revocation_hash as hash')
    .execute()
  const openers = await ofOwner
    .where('opened_by', 'is not', null)
    .select((row) => row.ref('opened_by').$notNull().as('hash'))
    .execute()
  return [...own, ...openers].map(({ hash }) => hash)
}

/** Accepts revoked bearer tokens again. Returns how many. Browser sessions stay ended. */
export async function acceptAgain(trx: Transaction<Schema>, hashes: Buffer[]): Promise<number> {
  const isMeant = sql<boolean>`revocation_hash = any(${hashes}::bytea[])`
  // The token opens a new session when it is next used. As elsewhere, sessions come before `revoked_tokens`.
  await trx.deleteFrom('sessions').where(isMeant).where('revoked_at', 'is not', null).execute()
  const forgotten = await trx.deleteFrom('revoked_tokens').where(isMeant).returning('revocation_hash').execute()
  return forgotten.length
}
