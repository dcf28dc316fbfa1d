import type { Kysely } from 'kysely'
import { type RepositoryKey, shownRepository } from '../repositories/repositories.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository } from '../visibility.ts'
import { stored } from './pullRequests.ts'

/** The head commit of a visible pull request. */
export async function findShownHead(db: Kysely<Schema>, audience: Audience, by: RepositoryKey, number: number) {
  return shownRepository(db, audience, by)
    .innerJoin('pull_requests', 'pull_requests.host_repo_id', 'repositories.host_repo_id')
    .where('pull_requests.number', '=', number)
    .where(fitsRepository('pull_requests'))
    .select('pull_requests.head_sha')
    .executeTakeFirst()
}

/** The head commit, and when the code host was last asked for it. */
export async function findHead(db: Kysely<Schema>, hostRepoId: number, number: number) {
  return stored(db, hostRepoId, number).select(['head_sha', 'head_asked_at']).executeTakeFirst()
}

export async function markHeadAsked(db: Kysely<Schema>, hostRepoId: number, number: number, at: Date): Promise<void> {
  await db
    .updateTable('pull_requests')
    .set({ head_asked_at: at })
    .where('host_repo_id', '=', hostRepoId)
    .where('number', '=', number)
    .execute()
}
