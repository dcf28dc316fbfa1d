import { type Kysely, sql, type Updateable } from 'kysely'
import { isPending } from '../engine/clock.ts'
import type { WatchedRepositoriesTable, WatchedRow } from '../schema/mergeTables.ts'
import type { Schema } from '../schema/schema.ts'

/** Longer than any interval between checks: a later time of the next check was set by a wrong clock. */
const MAX_INTERVAL_MINUTES = 7 * 60

/** The watched repositories whose check is due, most overdue first. */
export async function findDue(db: Kysely<Schema>, now: Date, limit: number): Promise<WatchedRow[]> {
  return db
    .selectFrom('watched_repositories')
    .where(isDue(now))
    .orderBy('next_check_at')
    .limit(limit)
    .selectAll()
    .execute()
}

export function isDue(now: Date) {
  return sql<boolean>`not ${isPending(sql.ref('next_check_at'), now, MAX_INTERVAL_MINUTES)}`
}

export type WatchedChange = Updateable<WatchedRepositoriesTable>

/** Returns false if the repository is no longer watched. */
export async function updateWalk(db: Kysely<Schema>, hostRepoId: number, change: WatchedChange): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('watched_repositories')
    .set(change)
    .where('host_repo_id', '=', hostRepoId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
