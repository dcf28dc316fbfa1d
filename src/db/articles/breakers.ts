import { type Kysely, sql } from 'kysely'
import type { BreakersTable } from '../schema/articleTables.ts'
import type { Schema } from '../schema/schema.ts'

export const MODEL_BREAKER = 'model'

/** The breaker if it is open or half-open. Until `open_until`, only its trial job may proceed, if there is one. */
export async function findBreaker(db: Kysely<Schema>, name: string): Promise<BreakersTable | undefined> {
  return db
    .selectFrom('breakers')
    .where('name', '=', name)
    .where('open_until', 'is not', null)
    .select(['name', 'failures', 'open_until', 'trial'])
    .executeTakeFirst()
}

export async function findBreakerState(db: Kysely<Schema>, name: string, now: Date) {
  const breaker = await findBreaker(db, name)
  if (!breaker?.open_until) return 'closed'
  return breaker.open_until > now && !breaker.trial ? 'open' : 'half_open'
}

/** Claims the only trial of a half-open breaker for a job; false if another job has claimed it. */
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

/**
 * Counts a failure. The breaker opens after `failuresToOpen` failures in a row or a failed trial, or at once if the
 * model said when to retry.
 */
export async function recordError(
  db: Kysely<Schema>,
  name: string,
  { failuresToOpen, openUntil, retryAt }: { failuresToOpen: number; openUntil: Date; retryAt: Date | null },
): Promise<void> {
  await db
    .insertInto('breakers')
    .values({ name, failures: 1, open_until: retryAt ?? (failuresToOpen <= 1 ? openUntil : null), trial: null })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        failures: sql<number>`breakers.failures + 1`,
        open_until:
          retryAt ??
          sql<Date>`case when breakers.failures + 1 >= ${failuresToOpen}::integer or breakers.trial is not null
            then ${openUntil}::timestamptz else breakers.open_until end`,
        trial: null,
      }),
    )
    .execute()
}

/** Ends a trial without a result, so that the next job may try at once. */
export async function endTrial(db: Kysely<Schema>, trial: string, now: Date): Promise<void> {
  await db.updateTable('breakers').set({ trial: null, open_until: now }).where('trial', '=', trial).execute()
}

export async function recordSuccess(db: Kysely<Schema>, name: string): Promise<void> {
  await db.deleteFrom('breakers').where('name', '=', name).execute()
}
