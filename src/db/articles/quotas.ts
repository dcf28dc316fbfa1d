import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** Counts one more article for a user on a day; false if that would exceed the limit. */
export async function takeArticle(db: Kysely<Schema>, userId: string, day: string, limit: number): Promise<boolean> {
  if (limit < 1) return false
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('article_quotas')
    .values({ user_id: userId, day, started: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'day'])
        .doUpdateSet({ started: sql<number>`article_quotas.started + 1` })
        .where('article_quotas.started', '<', limit),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The articles that count against a user's quota of a day. */
export async function articlesStarted(db: Kysely<Schema>, userId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('article_quotas')
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .select('started')
    .executeTakeFirst()
  return row?.started ?? 0
}

/** Reserves model tokens for a call; false if the day's used and reserved tokens have already reached the limit. */
export async function reserveTokens(db: Kysely<Schema>, day: string, tokens: number, limit: number): Promise<boolean> {
  if (limit < 1) return false
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('model_usage')
    .values({ day, tokens })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet({ tokens: sql<number>`model_usage.tokens + ${tokens}::bigint` })
        .where('model_usage.tokens', '<', limit),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Corrects a reservation by the difference to the tokens that the call really used. Returns the tokens of the day,
 * including those that are still reserved.
 */
export async function settleTokens(db: Kysely<Schema>, day: string, difference: number): Promise<number> {
  const row = await db
    .updateTable('model_usage')
    .set({ tokens: sql<number>`greatest(0, tokens + ${difference}::bigint)` })
    .where('day', '=', day)
    .returning('tokens')
    .executeTakeFirst()
  return row?.tokens ?? 0
}

/** Remembers that the operator is warned of this share of the daily tokens; false if another node did so before. */
export async function markWarned(db: Kysely<Schema>, day: string, percent: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('model_usage')
    .set({ warned_percent: percent })
    .where('day', '=', day)
    .where('warned_percent', '<', percent)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function tokensOf(db: Kysely<Schema>, day: string): Promise<number> {
  const row = await db.selectFrom('model_usage').where('day', '=', day).select('tokens').executeTakeFirst()
  return row?.tokens ?? 0
}
