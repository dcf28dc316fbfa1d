import { type Kysely, sql } from 'kysely'
import { MINUTE_MS } from '../../lib/times.ts'
import { isPending } from '../engine/clock.ts'
import type { Schema } from '../schema/schema.ts'

interface Lease {
  name: string
  holder: string
  /** How long the lease lasts unless it is renewed. */
  durationMs: number
}

/**
 * Returns false while another holder has the lease. A lease is free if it has expired, or if a wrong clock has set its
 * end too far in the future.
 */
export async function takeLease(db: Kysely<Schema>, lease: Lease, now: Date): Promise<boolean> {
  return (await takeOrTakeOver(db, lease, now)) !== undefined
}

/**
 * As `takeLease`, but returns undefined while another holder has the lease. `isTakenOver`: the last holder did not
 * return the lease.
 */
export async function takeOrTakeOver(
  db: Kysely<Schema>,
  lease: Lease,
  now: Date,
): Promise<{ isTakenOver: boolean } | undefined> {
  const { name, holder } = lease
  const row = { name, holder, until: endOf(lease, now) }
  return (
    db
      .insertInto('leases')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(row)
          .where(sql<boolean>`(leases.holder = ${holder} or not ${isHeld(lease, now)})`),
      )
      // Postgres sets xmax in rows that it updates, but not in those that it inserts.
      .returning(sql<boolean>`xmax <> 0`.as('isTakenOver'))
      .executeTakeFirst()
  )
}

/** Whether any node holds the lease. */
export async function isLeased(db: Kysely<Schema>, lease: Omit<Lease, 'holder'>, now: Date): Promise<boolean> {
  const held = await db
    .selectFrom('leases')
    .where('name', '=', lease.name)
    .where(isHeld(lease, now))
    .select('name')
    .executeTakeFirst()
  return held !== undefined
}

function isHeld({ durationMs }: Pick<Lease, 'durationMs'>, now: Date) {
  return isPending(sql.ref('leases.until'), now, durationMs / MINUTE_MS)
}

function endOf({ durationMs }: Lease, now: Date): Date {
  return new Date(now.getTime() + durationMs)
}

export async function returnLease(db: Kysely<Schema>, { name, holder }: Pick<Lease, 'name' | 'holder'>): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}

/** Returns false if another holder has taken over the lease. */
export async function renewLease(db: Kysely<Schema>, lease: Lease, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('leases')
    .set({ until: endOf(lease, now) })
    .where('name', '=', lease.name)
    .where('holder', '=', lease.holder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
