import type { Kysely } from 'kysely'
import type { LeasesTable, Schema } from './schema.ts'

/** Answers false while another holds it. A lease that has run out is anybody's. */
export async function takeLease(db: Kysely<Schema>, lease: LeasesTable, now: Date): Promise<boolean> {
  const taken = await db
    .insertInto('leases')
    .values(lease)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(lease).where('leases.until', '<=', now))
    .executeTakeFirst()
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function isLeased(db: Kysely<Schema>, name: string, now: Date): Promise<boolean> {
  const held = await db
    .selectFrom('leases')
    .where('name', '=', name)
    .where('until', '>', now)
    .select('name')
    .executeTakeFirst()
  return held !== undefined
}

export async function returnLease(db: Kysely<Schema>, { name, holder }: LeasesTable): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}

export async function renewLease(db: Kysely<Schema>, { name, holder, until }: LeasesTable): Promise<void> {
  await db.updateTable('leases').set({ until }).where('name', '=', name).where('holder', '=', holder).execute()
}
