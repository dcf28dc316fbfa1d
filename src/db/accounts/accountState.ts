import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** Why an account may not act, with any token; null if it may. */
export type AccountState = 'blocked'

/**
 * The one rule for whether an account may act, for all statements that authenticate a caller. They must join `users`.
 */
export const accountState = sql<AccountState | null>`case when users.blocked_by is not null then 'blocked' end`

/** Whether the account in `users` may act; true without an account. */
export const mayAct = sql<boolean>`(users.blocked_by is null)`

export async function findAccountState(db: Kysely<Schema>, id: string): Promise<AccountState | null> {
  const row = await db.selectFrom('users').where('id', '=', id).select(accountState.as('state')).executeTakeFirst()
  return row?.state ?? null
}

/** Whether a user of the code host has a blocked account. Then the user may not sign up with another identity, either. */
export async function isHostUserBlocked(db: Kysely<Schema>, hostUserId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .where('host_user_id', '=', hostUserId)
    .where('blocked_by', 'is not', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}
