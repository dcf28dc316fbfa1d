import { type Kysely, sql } from 'kysely'
import { isRecent, isReplacedBy } from '../engine/clock.ts'
import type { Schema } from '../schema/schema.ts'
import { isJustAsked } from '../visibility.ts'
import { isRepository, type RepositoryKey } from './repositories.ts'

/** Claims the check whether a repository is still public; false if one was started within a minute. */
export async function claimPublicCheck(db: Kysely<Schema>, hostRepoId: number, now: Date): Promise<boolean> {
  const claimed = await db
    .updateTable('repositories')
    .set({ proof_asked_at: now })
    .where('host_repo_id', '=', hostRepoId)
    .where(sql<boolean>`not ${isJustAsked({ now })}`)
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

/** As `claimPublicCheck`, however recent the last check is; false only if the repository is not known. */
export async function forcePublicCheck(db: Kysely<Schema>, hostRepoId: number, now: Date): Promise<boolean> {
  const forced = await db
    .updateTable('repositories')
    .set({ proof_asked_at: now })
    .where('host_repo_id', '=', hostRepoId)
    .executeTakeFirst()
  return forced.numUpdatedRows > 0n
}

/** Hides a repository from the public. Sessions that may see it need a visibility check of their own. */
export async function markHidden(db: Kysely<Schema>, hostRepoId: number, askedAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ private: true, proven_at: askedAt })
    .where('host_repo_id', '=', hostRepoId)
    .where(isReplacedBy(sql.ref('proven_at'), askedAt, now))
    .execute()
}

/** Hides a repository if the code host has not confirmed for so many minutes that it is public. */
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

/** A public repository that is hidden only because `markUnverified` marked it. */
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
