import { type Kysely, sql } from 'kysely'
import { isRecent } from '../engine/clock.ts'
import type { Schema } from '../schema/schema.ts'

/** Why an account may not act, with any token, before something else has happened; null if it may. */
export type AccountState = 'blocked' | 'membership_due'

/** A membership is checked again after this time. */
export const MEMBERSHIP_MINUTES = 24 * 60

/**
 * The one rule for whether an account may act, for all statements that authenticate a caller. They must join `users`.
 * `domain/accounts/mayAct.ts` says what follows from a state.
 */
export function accountState(now: Date) {
  return sql<AccountState | null>`case
    when users.blocked_by is not null then 'blocked'
    when users.membership_lost
      or not ${isRecent(sql.ref('users.membership_checked_at'), now, MEMBERSHIP_MINUTES)} then 'membership_due'
  end`
}

/** The same rule for work outside of the user's requests, which does not check memberships; true without an account. */
export const mayAct = sql<boolean>`(users.blocked_by is null and users.membership_lost is not true)`

export async function findAccountState(db: Kysely<Schema>, id: string, now: Date): Promise<AccountState | null> {
  const row = await db.selectFrom('users').where('id', '=', id).select(accountState(now).as('state')).executeTakeFirst()
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

export async function isMembershipLost(db: Kysely<Schema>, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').where('id', '=', id).select('membership_lost').executeTakeFirst()
  return row?.membership_lost ?? false
}

export async function updateMembership(
  db: Kysely<Schema>,
  id: string,
  { checkedAt, isLost }: { checkedAt: Date; isLost: boolean },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ membership_checked_at: checkedAt, membership_lost: isLost })
    .where('id', '=', id)
    .execute()
}
