import { type Kysely, sql, type Transaction } from 'kysely'
import { HOUR_MS } from '../../lib/times.ts'
import type { Schema } from '../schema/schema.ts'

/** The name of the poller's row. There is only one poller so far. */
const NAME = 'merges'
/** The longest pause, until the calls of the next hour may be used. Other pauses are shorter. */
export const MAX_PAUSE_MS = HOUR_MS

export async function findPoller(db: Kysely<Schema>) {
  return db
    .selectFrom('pollers')
    .where('name', '=', NAME)
    .select(['paused_until', 'failures', 'synced_at'])
    .executeTakeFirstOrThrow()
}

/** Pauses the poller on all nodes until the given time. */
export async function pausePoller(db: Kysely<Schema>, until: Date, failures: number): Promise<void> {
  await db.updateTable('pollers').set({ paused_until: until, failures }).where('name', '=', NAME).execute()
}

/** Ends the pause of the poller on all nodes. */
export async function endPollerPause(db: Kysely<Schema>, now: Date): Promise<void> {
  await db
    .updateTable('pollers')
    .set({ paused_until: now, failures: 0 })
    .where('name', '=', NAME)
    .where('paused_until', '>', now)
    .execute()
}

export async function markSucceeded(db: Kysely<Schema>): Promise<void> {
  await db.updateTable('pollers').set({ failures: 0 }).where('name', '=', NAME).where('failures', '>', 0).execute()
}

export async function markSynced(db: Kysely<Schema>, now: Date): Promise<void> {
  await db.updateTable('pollers').set({ synced_at: now }).where('name', '=', NAME).execute()
}

/** Adds calls to the number of calls in an hour; false if that would exceed the limit. */
export async function reserveCalls(db: Kysely<Schema>, hour: Date, calls: number, limit: number): Promise<boolean> {
  const used = sql<number>`case when hour = ${hour}::timestamptz then calls else 0 end`
  const { numUpdatedRows } = await db
    .updateTable('pollers')
    .set({ hour, calls: sql<number>`${used} + ${calls}::integer` })
    .where('name', '=', NAME)
    .where(sql<boolean>`${used} + ${calls}::integer <= ${limit}::bigint`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The calls in the current hour. */
export async function countCalls(db: Kysely<Schema>, now: Date): Promise<number> {
  const { calls } = await db
    .selectFrom('pollers')
    .where('name', '=', NAME)
    .select(sql<number>`case when hour > ${new Date(now.getTime() - HOUR_MS)} then calls else 0 end`.as('calls'))
    .executeTakeFirstOrThrow()
  return calls
}

/** Locks the poller's row, so that only one transaction at a time counts articles against the budgets. */
export async function lockPoller(trx: Transaction<Schema>): Promise<void> {
  await trx.selectFrom('pollers').where('name', '=', NAME).select('name').forUpdate().execute()
}
