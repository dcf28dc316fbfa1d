import { type Kysely, sql } from 'kysely'
import type { Schema, SessionRow, UserRow } from './schema.ts'

/** What is known of a token: whether it was ended for good, and its session with the account if there are any. */
export async function findToken(db: Kysely<Schema>, tokenHash: Buffer) {
  const row = await db
    .selectFrom(sql<{ token_hash: Buffer }>`(select ${tokenHash}::bytea as token_hash)`.as('asked'))
    .leftJoin('revoked_tokens', 'revoked_tokens.token_hash', 'asked.token_hash')
    .leftJoin('sessions', 'sessions.token_hash', 'asked.token_hash')
    .leftJoin('users', (join) =>
      join.onRef('users.issuer', '=', 'sessions.issuer').onRef('users.subject', '=', 'sessions.subject'),
    )
    .selectAll('users')
    .select([
      'revoked_tokens.token_hash as ended',
      'sessions.id as session_id',
      'sessions.issuer as session_issuer',
      'sessions.subject as session_subject',
      'sessions.verified_at',
      'sessions.check_after',
      'sessions.expires_at',
    ])
    .executeTakeFirstOrThrow()
  const { ended, session_id, session_issuer, session_subject, verified_at, check_after, expires_at, ...user } = row
  return {
    ended: ended !== null,
    session:
      session_id && session_issuer && session_subject && verified_at
        ? {
            id: session_id,
            issuer: session_issuer,
            subject: session_subject,
            verified_at,
            check_after,
            expires_at,
            user: user.id === null ? null : (user as UserRow),
          }
        : null,
  }
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
