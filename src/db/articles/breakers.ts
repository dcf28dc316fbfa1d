import { type Kysely, sql } from 'kysely'
import type { BreakersTable } from '../schema/articleTables.ts'
import type { Schema } from '../schema/schema.ts'

/** A breaker that has been open: until when it lets nobody through but the one on trial, if there is one. */
export async function findBreaker(db: Kysely<Schema>, name: string): Promise<BreakersTable | undefined> {
  return db
    .selectFrom('breakers')
    .where('name', '=', name)
    .where('open_until', 'is not', null)
    .select(['name', 'failures', 'open_until', 'trial'])
    .executeTakeFirst()
}

/** After a rest, one may try while the others wait for what comes of it: answers whether this is the one. */
export async function claimTrial(
  db: Kysely<Schema>,
  { name, trial, until }: { name: string; trial: string; until: Date },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('breakers')
    .set({ open_until: until, trial })
    .where('name', '=', name)
    .where('open_until', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** One more failure in a row. From the `most`th on, or at once where told until when, it is open. */
export async function recordError(
  db: Kysely<Schema>,
  name: string,
  { most, restUntil, toldUntil }: { most: number; restUntil: Date; toldUntil: Date | null },
): Promise<void> {
  await db
    .insertInto('breakers')
    .values({ name, failures: 1, open_until: toldUntil ?? (most <= 1 ? restUntil : null), trial: null })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        failures: sql<number>`breakers.failures + 1`,
        open_until:
          toldUntil ??
          sql<Date>`case when breakers.failures + 1 >= ${most}::integer or breakers.trial is not null
            then ${restUntil}::timestamptz else breakers.open_until end`,
        trial: null,
      }),
    )
    .execute()
}

/** Whatever became of a trial: the next one may try at once. */
export async function endTrial(db: Kysely<Schema>, trial: string, now: Date): Promise<void> {
  await db.updateTable('breakers').set({ trial: null, open_until: now }).where('trial', '=', trial).execute()
}

export async function recordSuccess(db: Kysely<Schema>, name: string): Promise<void> {
  await db.deleteFrom('breakers').where('name', '=', name).execute()
}
