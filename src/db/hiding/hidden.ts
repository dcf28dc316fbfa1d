import { type Kysely, sql } from 'kysely'
import { lastVerified, type RepositoryKey } from '../repositories/repositories.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, shownOrHidden } from '../visibility.ts'

/** Whether an operator has hidden a pull request or its repository. False if the audience could not see it anyway. */
export async function isHidden(
  db: Kysely<Schema>,
  audience: Audience,
  by: RepositoryKey,
  number: number,
): Promise<boolean> {
  const row = await lastVerified(shownOrHidden(db, audience), by)
    .leftJoin('pull_requests', (join) =>
      join
        .onRef('pull_requests.host_repo_id', '=', 'repositories.host_repo_id')
        .on('pull_requests.number', '=', number),
    )
    .select(sql<boolean>`coalesce(repositories.hidden_by, pull_requests.hidden_by) is not null`.as('is_hidden'))
    .executeTakeFirst()
  return row?.is_hidden ?? false
}

/** Which of these repositories are hidden. */
export async function findHiddenRepositories(db: Kysely<Schema>, hostRepoIds: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('repositories')
    .where(sql<boolean>`host_repo_id = any(${hostRepoIds}::bigint[])`)
    .where('hidden_by', 'is not', null)
    .select('host_repo_id')
    .execute()
  return new Set(rows.map(({ host_repo_id }) => host_repo_id))
}
