import type { Kysely } from 'kysely'
import { type RepositoryKey, shownRepository } from '../repositories/repositories.ts'
import type { PullRequestsTable, Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository } from '../visibility.ts'

/** The head commit of a visible pull request, from its columns, which may be missing or outdated (`described`). */
export async function findShownHead(db: Kysely<Schema>, audience: Audience, by: RepositoryKey, number: number) {
  return shownRepository(db, audience, by)
    .innerJoin('pull_requests', 'pull_requests.host_repo_id', 'repositories.host_repo_id')
    .where('pull_requests.number', '=', number)
    .where(fitsRepository('pull_requests'))
    .select(['pull_requests.head_sha', 'pull_requests.version', 'pull_requests.described'])
    .executeTakeFirst()
}

/** The head commit (null if the columns are not of the document's version), and when it was last asked for. */
export async function findHead(db: Kysely<Schema>, hostRepoId: number, number: number) {
  const row = await db
    .selectFrom('pull_requests')
    .where('host_repo_id', '=', hostRepoId)
    .where('number', '=', number)
    .select(['head_sha', 'head_asked_at', 'version', 'described'])
    .executeTakeFirst()
  return {
    headSha: row?.described === row?.version ? (row?.head_sha ?? null) : null,
    askedAt: row?.head_asked_at ?? null,
  }
}

export async function markHeadAsked(db: Kysely<Schema>, hostRepoId: number, number: number, at: Date): Promise<void> {
  await db
    .updateTable('pull_requests')
    .set({ head_asked_at: at })
    .where('host_repo_id', '=', hostRepoId)
    .where('number', '=', number)
    .execute()
}

type Columns = Pick<
  PullRequestsTable,
  'described' | 'head_sha' | 'title' | 'author_login' | 'host_url' | 'host_created_at'
>

export async function updateColumns(db: Kysely<Schema>, hostRepoId: number, number: number, columns: Columns) {
  await db
    .updateTable('pull_requests')
    .set(columns)
    .where('host_repo_id', '=', hostRepoId)
    .where('number', '=', number)
    .where('version', '=', columns.described)
    .execute()
}
