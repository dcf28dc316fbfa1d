import { type Kysely, sql, type Transaction } from 'kysely'
import { deleteRefreshTokens } from '../accounts/endedSessions.ts'
import type { Owner } from '../accounts/sessions.ts'
import type { Schema } from '../schema/schema.ts'

export interface AccountRow {
  id: string
  login: string
  host_user_id: number
  created_at: Date
  /** When a session was last verified; null if there is none. */
  active_at: Date | null
  blocked: boolean
  /** Articles written in the last 30 days, because the jobs of older ones are deleted, and the tokens of these days. */
  articles: number
  input_tokens: number
  output_tokens: number
}

/** Accounts, newest first, after the one with the given id. */
export async function findAccounts(db: Kysely<Schema>, limit: number, after: string | undefined) {
  const { rows } = await sql<AccountRow>`
    select users.id, users.host_username as login, users.host_user_id, users.created_at, users.blocked_by is not null as blocked, (
      select max(verified_at) from sessions
      where sessions.issuer = users.issuer and sessions.subject = users.subject and revoked_at is null
    ) as active_at, jobs.articles, spending.input_tokens, spending.output_tokens
    from users cross join lateral (
      select count(*) filter (where status = 'succeeded')::integer as articles
      from article_jobs where article_jobs.user_id = users.id
    ) jobs cross join lateral (
      select coalesce(sum(input_tokens), 0)::bigint as input_tokens,
        coalesce(sum(output_tokens), 0)::bigint as output_tokens
      from model_spending where model_spending.user_id = users.id and day > current_date - 30
    ) spending
    where ${after === undefined ? sql`true` : sql`users.id < ${after}::uuid`}
    order by users.id desc limit ${limit}`.execute(db)
  return rows
}

/** Blocks an account (`by` is the id of the operator's act) or unblocks it (null). Returns false if that is done already. */
export async function setBlocked(trx: Transaction<Schema>, id: string, by: string | null): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ blocked_by: by })
    .where('id', '=', id)
    .where('blocked_by', by === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The accounts with this login, or with this id on the code host. */
export async function findAccountsNamed(db: Kysely<Schema>, loginOrHostId: string) {
  const hostId = /^\d{1,15}$/.test(loginOrHostId) ? Number(loginOrHostId) : 0
  return db
    .selectFrom('users')
    .where(sql<boolean>`(lower(host_username) = lower(${loginOrHostId}) or host_user_id = ${hostId}::bigint)`)
    .select(['id', 'issuer', 'subject', 'host_username', 'host_user_id', 'blocked_by'])
    .orderBy('id')
    .execute()
}

/**
 * Permanently revokes all known tokens of an identity, including those that only opened a browser session. Returns how
 * many sessions it ended.
 */
export async function endAllSessions(trx: Transaction<Schema>, { issuer, subject }: Owner, now: Date): Promise<number> {
  const ended = await trx
    .updateTable('sessions')
    .set({ revoked_at: now, key_id: null, sealed: null })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('revoked_at', 'is', null)
    .returning(['id', 'revocation_hash'])
    .execute()
  await deleteRefreshTokens(
    trx,
    ended.map(({ id }) => id),
  )
  const openers = await trx
    .selectFrom('sessions')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('opened_by', 'is not', null)
    .select((row) => row.ref('opened_by').$notNull().as('revocation_hash'))
    .execute()
  const revoked = [...ended, ...openers].map(({ revocation_hash }) => ({ revocation_hash }))
  if (revoked.length > 0)
    await trx
      .insertInto('revoked_tokens')
      .values(revoked)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return ended.length
}
