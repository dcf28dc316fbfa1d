import type { Kysely, Transaction } from 'kysely'
import type { RefreshTokenRow, Schema } from '../schema/schema.ts'
import { revokeToken } from './endedSessions.ts'

interface Sealed {
  key_id: string
  sealed: Buffer
}

export async function insertRefreshToken(trx: Transaction<Schema>, row: RefreshTokenRow): Promise<void> {
  await trx.insertInto('refresh_tokens').values(row).execute()
}

/** The access token and refresh token of a live session; undefined if its access token cannot be renewed. */
export async function findRenewable(db: Kysely<Schema>, sessionId: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('refresh_tokens', 'refresh_tokens.session_id', 'sessions.id')
    .where('sessions.id', '=', sessionId)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.sealed', 'is not', null)
    .where('refresh_tokens.sealed', 'is not', null)
    .select((row) => [
      row.ref('sessions.opened_by').$notNull().as('opened_by'),
      row.ref('sessions.key_id').$notNull().as('key_id'),
      row.ref('sessions.sealed').$notNull().as('sealed'),
      row.ref('refresh_tokens.key_id').$notNull().as('refresh_key_id'),
      row.ref('refresh_tokens.sealed').$notNull().as('refresh_sealed'),
      'refresh_tokens.access_expires_at',
    ])
    .executeTakeFirst()
}

interface Renewed {
  access: Sealed & { opened_by: Buffer }
  refresh: Sealed & { access_expires_at: Date | null }
}

/**
 * Stores renewed tokens, unless the session has ended or its access token is no longer the one with the hash
 * `openedBy`. Compares this hash instead of the sealed token, because key rotation changes the sealed token.
 */
export async function storeRenewed(
  db: Kysely<Schema>,
  { sessionId, openedBy }: { sessionId: string; openedBy: Buffer },
  { access, refresh }: Renewed,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const stored = await trx
      .updateTable('sessions')
      .set(access)
      .where('id', '=', sessionId)
      .where('opened_by', '=', openedBy)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (stored) await trx.updateTable('refresh_tokens').set(refresh).where('session_id', '=', sessionId).execute()
  })
}

/** Ends a session whose refresh token the code host refused, unless its access token has been replaced meanwhile. */
export async function endUnrenewed(
  db: Kysely<Schema>,
  { sessionId, openedBy, revocationHash }: { sessionId: string; openedBy: Buffer; revocationHash: Buffer },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const session = await trx
      .selectFrom('sessions')
      .where('id', '=', sessionId)
      .where('opened_by', '=', openedBy)
      .select('id')
      .forUpdate()
      .executeTakeFirst()
    if (!session) return
    await trx
      .updateTable('refresh_tokens')
      .set({ key_id: null, sealed: null, refused_at: now })
      .where('session_id', '=', sessionId)
      .execute()
    await revokeToken(trx, revocationHash, now)
  })
}

/** Whether a session ended because the code host refused to renew its access token. */
export async function wasRenewalRefused(db: Kysely<Schema>, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('refresh_tokens', 'refresh_tokens.session_id', 'sessions.id')
    .where('sessions.token_hash', '=', tokenHash)
    .where('refresh_tokens.refused_at', 'is not', null)
    .select('sessions.id')
    .executeTakeFirst()
  return row !== undefined
}
