import { type Kysely, sql } from 'kysely'
import { isRecent, isReplacedBy } from '../engine/clock.ts'
import type { Schema } from '../schema/schema.ts'
import { isJustAsked } from '../visibility.ts'
import { isRepository, type RepositoryKey } from './repositories.ts'

/**
 * A repository to check for being public. `forbidden_at`: since when the code host forbids it to the service's token;
 * null if it does not.
 */
export interface PublicCheck {
  owner: string
  name: string
  forbidden_at: Date | null
}

/** Claims the check whether a repository is still public; undefined if a check was started within the last minute. */
export async function claimPublicCheck(
  db: Kysely<Schema>,
  hostRepoId: number,
  now: Date,
): Promise<PublicCheck | undefined> {
  return markAsked(db, hostRepoId, now)
    .where(sql<boolean>`not ${isJustAsked({ now })}`)
    .executeTakeFirst()
}

/** As `claimPublicCheck`, however recent the last check is; undefined only if the repository is not known. */
export async function forcePublicCheck(
  db: Kysely<Schema>,
  hostRepoId: number,
  now: Date,
): Promise<PublicCheck | undefined> {
  return markAsked(db, hostRepoId, now).executeTakeFirst()
}

function markAsked(db: Kysely<Schema>, hostRepoId: number, now: Date) {
  return db
    .updateTable('repositories')
    .set({ public_checked_at: now })
    .where('host_repo_id', '=', hostRepoId)
    .returning(['owner', 'name', 'forbidden_at'])
}

/**
 * Stores that the code host forbids a repository to the service's token. Returns the repository's name only the first
 * time, so that all nodes together log it once.
 */
export async function markForbidden(
  db: Kysely<Schema>,
  hostRepoId: number,
  now: Date,
): Promise<{ owner: string; name: string } | undefined> {
  return db
    .updateTable('repositories')
    .set({ forbidden_at: now })
    .where('host_repo_id', '=', hostRepoId)
    .where('forbidden_at', 'is', null)
    .returning(['owner', 'name'])
    .executeTakeFirst()
}

export async function clearForbidden(db: Kysely<Schema>, hostRepoId: number): Promise<void> {
  await db.updateTable('repositories').set({ forbidden_at: null }).where('host_repo_id', '=', hostRepoId).execute()
}

/** Hides a repository from the public. Sessions that may see it need a visibility check of their own. */
export async function markHidden(db: Kysely<Schema>, hostRepoId: number, askedAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ private: true, verified_at: askedAt })
    .where('host_repo_id', '=', hostRepoId)
    .where(isReplacedBy(sql.ref('verified_at'), askedAt, now))
    .execute()
}

/**
 * Hides a repository if the code host has not confirmed within the given minutes that it is public. Returns whether it
 * was hidden.
 */
export async function markUnverified(
  db: Kysely<Schema>,
  hostRepoId: number,
  minutes: number,
  now: Date,
): Promise<boolean> {
  const hidden = await db
    .updateTable('repositories')
    .set({ doubted: true })
    .where('host_repo_id', '=', hostRepoId)
    .where('doubted', '=', false)
    .where('private', '=', false)
    .where(sql<boolean>`not ${isRecent(sql.ref('verified_at'), now, minutes)}`)
    .executeTakeFirst()
  return hidden.numUpdatedRows > 0n
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
