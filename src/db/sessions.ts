import type { Kysely } from 'kysely'
import type { Schema, SessionRow, UserRow } from './schema.ts'

/** The session of a token, with its account if there is one. Ended for good counts whatever the row says. */
export async function findSession(db: Kysely<Schema>, tokenHash: Buffer) {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('users', (join) =>
      join.onRef('users.issuer', '=', 'sessions.issuer').onRef('users.subject', '=', 'sessions.subject'),
    )
    .leftJoin('revoked_tokens', 'revoked_tokens.token_hash', 'sessions.token_hash')
    .where('sessions.token_hash', '=', tokenHash)
    .selectAll('users')
    .select([
      'sessions.id as session_id',
      'sessions.issuer as session_issuer',
      'sessions.subject as session_subject',
      'sessions.verified_at',
      'sessions.check_after',
      'sessions.expires_at',
      'revoked_tokens.token_hash as ended',
    ])
    .executeTakeFirst()
  if (!row) return undefined
  const { session_id, session_issuer, session_subject, verified_at, check_after, expires_at, ended, ...user } = row
  return {
    id: session_id,
    issuer: session_issuer,
    subject: session_subject,
    verified_at,
    check_after,
    expires_at,
    ended: ended !== null,
    user: user.id === null ? null : (user as UserRow),
  }
}

export async function isTokenEnded(db: Kysely<Schema>, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('revoked_tokens')
    .where('token_hash', '=', tokenHash)
    .select('token_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Many requests may verify one new token at once: the first row stays. */
export async function insertSession(db: Kysely<Schema>, session: SessionRow): Promise<void> {
  await db
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute()
}

export async function updateChecks(
  db: Kysely<Schema>,
  id: string,
  checks: { verified_at?: Date; check_after: Date },
): Promise<void> {
  await db.updateTable('sessions').set(checks).where('id', '=', id).execute()
}

export async function deleteSession(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

export async function listSessionRows(db: Kysely<Schema>, owner: { issuer: string; subject: string }, now: Date) {
  return db
    .selectFrom('sessions')
    .where('issuer', '=', owner.issuer)
    .where('subject', '=', owner.subject)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .select(['id', 'created_at', 'expires_at', 'revoked_at'])
    .orderBy((order) => order('revoked_at', 'is not', null))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** Ends a session's token for good. Answers when it ended, or undefined where the owner has no such session. */
export async function endSession(
  db: Kysely<Schema>,
  owner: { issuer: string; subject: string },
  id: string,
  now: Date,
): Promise<Date | undefined> {
  return db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable('sessions')
      .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(now)) }))
      .where('id', '=', id)
      .where('issuer', '=', owner.issuer)
      .where('subject', '=', owner.subject)
      .returning(['token_hash', 'revoked_at'])
      .executeTakeFirst()
    if (!ended) return undefined
    await trx
      .insertInto('revoked_tokens')
      .values({ token_hash: ended.token_hash })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return ended.revoked_at ?? now
  })
}
