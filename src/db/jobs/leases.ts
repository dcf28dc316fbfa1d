import { type Kysely, sql } from 'kysely'
import { isAhead } from '../engine/clock.ts'
import type { LeasesTable, Schema } from '../schema/schema.ts'

/** Returns false while another holder has it. An expired lease is free, and so is one dated too far ahead by a wrong clock. */
export async function takeLease(db: Kysely<Schema>, lease: LeasesTable, now: Date): Promise<boolean> {
  const taken = await db
    .insertInto('leases')
    .values(lease)
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(lease)
        .where(sql<boolean>`(leases.holder = ${lease.holder} or not ${isHeld(now, lease.until)})`),
    )
    .executeTakeFirst()
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Whether a node holds it; `until` is when a lease taken now would expire. */
export async function isLeased(db: Kysely<Schema>, name: string, now: Date, until: Date): Promise<boolean> {
  const held = await db
    .selectFrom('leases')
    .where('name', '=', name)
    .where(isHeld(now, until))
    .select('name')
    .executeTakeFirst()
  return held !== undefined
}

function isHeld(now: Date, latest: Date) {
  const until = sql.ref<Date>('leases.until')
  return sql<boolean>`(${until} > ${now}::timestamptz and not ${isAhead(until, latest)})`
}

export async function returnLease(db: Kysely<Schema>, { name, holder }: LeasesTable): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}

export async function renewLease(db: Kysely<Schema>, { name, holder, until }: LeasesTable): Promise<void> {
  await db.updateTable('leases').set({ until }).where('name', '=', name).where('holder', '=', holder).execute()
}
