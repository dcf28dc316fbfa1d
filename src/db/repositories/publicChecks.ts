import { type Kysely, sql } from 'kysely'
import { isRecent, isReplacedBy } from '../engine/clock.ts'
import type { Schema } from '../schema/schema.ts'
import { isRepository, type RepositoryKey } from './repositories.ts'

/** Whether the viewer has to ask if a repository is still public: no one else did within a minute. */
export async function claimPublicCheck(db: Kysely<Schema>, hostRepoId: number, now: Date): Promise<boolean> {
  const claimed = await db
    .updateTable('repositories')
    .set({ proof_asked_at: now })
    .where('host_repo_id', '=', hostRepoId)
    .where(sql<boolean>`coalesce(not ${isRecent(sql.ref('proof_asked_at'), now, 1)}, true)`)
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

/** To the public it is not there. Those who may see it still prove it for themselves. */
export async function markHidden(db: Kysely<Schema>, hostRepoId: number, askedAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ private: true, proven_at: askedAt })
    .where('host_repo_id', '=', hostRepoId)
    .where(isReplacedBy(sql.ref('proven_at'), askedAt, now))
    .execute()
}

/** The code host will not tell whether it still is public, and has not for so many minutes. */
export async function markUnverified(
  db: Kysely<Schema>,
  hostRepoId: number,
  minutes: number,
  now: Date,
): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ doubted: true })
    .where('host_repo_id', '=', hostRepoId)
    .where(sql<boolean>`not ${isRecent(sql.ref('proven_at'), now, minutes)}`)
    .execute()
}

/** A repository of that name that is not shown for nothing but doubt. */
export async function findUnverified(db: Kysely<Schema>, by: RepositoryKey): Promise<number | undefined> {
  const row = await db
    .selectFrom('repositories')
    .where(isRepository(by))
    .where('doubted', '=', true)
    .where('private', '=', false)
    .select('host_repo_id')
    .executeTakeFirst()
  return row?.host_repo_id
}
