import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isAhead } from '../engine/clock.ts'
import type { LeasesTable, Schema } from '../schema/schema.ts'

/** A time by the clock of a node, or by that of the database, which all nodes share. */
type Time = Date | RawBuilder<Date>
type Lease = Omit<LeasesTable, 'until'> & { until: Time }

/** Returns false while another holder has it. An expired lease is free, and so is one dated too far ahead by a wrong clock. */
export async function takeLease(db: Kysely<Schema>, lease: Lease, now: Time): Promise<boolean> {
  return (await takeOrTakeOver(db, lease, now)) !== undefined
}

/** As `takeLease`. Undefined while another holder has it; `isTakenOver`: its last holder did not return it. */
export async function takeOrTakeOver(
  db: Kysely<Schema>,
  lease: Lease,
  now: Time,
): Promise<{ isTakenOver: boolean } | undefined> {
  return (
    db
      .insertInto('leases')
      .values(lease)
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(lease)
          .where(sql<boolean>`(leases.holder = ${lease.holder} or not ${isHeld(now, lease.until)})`),
      )
      // Postgres sets xmax in rows that it updates, but not in those that it inserts.
      .returning(sql<boolean>`xmax <> 0`.as('isTakenOver'))
      .executeTakeFirst()
  )
}

/** Whether a node holds it; `until` is when a lease taken now would expire. */
export async function isLeased(db: Kysely<Schema>, name: string, now: Time, until: Time): Promise<boolean> {
  const held = await db
    .selectFrom('leases')
    .where('name', '=', name)
    .where(isHeld(now, until))
    .select('name')
    .executeTakeFirst()
  return held !== undefined
}

function isHeld(now: Time, latest: Time) {
  const until = sql.ref<Date>('leases.until')
  return sql<boolean>`(${until} > ${now}::timestamptz and not ${isAhead(until, latest)})`
}

export async function returnLease(db: Kysely<Schema>, { name, holder }: Pick<Lease, 'name' | 'holder'>): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}

/** Returns false if another holder has taken it over. */
export async function renewLease(db: Kysely<Schema>, { name, holder, until }: Lease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('leases')
    .set({ until })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
