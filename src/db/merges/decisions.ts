import { type Kysely, sql, type Updateable } from 'kysely'
import { mayAct } from '../accounts/accountState.ts'
import type { MergesTable } from '../schema/mergeTables.ts'
import type { Schema } from '../schema/schema.ts'

export interface MergeKey {
  host_repo_id: number
  number: number
}

const MERGE_COLUMNS = [
  'merges.host_repo_id',
  'merges.number',
  'merges.status',
  'merges.author_is_bot',
  'merges.score',
  'merges.started_on',
  'merges.attempts',
  'repositories.owner',
  'repositories.name',
  'repositories.private',
] as const

export function mergesWithRepository(db: Kysely<Schema>) {
  return db
    .selectFrom('merges')
    .innerJoin('repositories', 'repositories.host_repo_id', 'merges.host_repo_id')
    .leftJoin('pull_requests', (join) =>
      join
        .onRef('pull_requests.host_repo_id', '=', 'merges.host_repo_id')
        .onRef('pull_requests.number', '=', 'merges.number'),
    )
    .select(MERGE_COLUMNS)
    .select(sql<boolean>`coalesce(repositories.hidden_by, pull_requests.hidden_by) is not null`.as('is_hidden'))
}

export type OpenMerge = Awaited<ReturnType<typeof findUndecided>>[number]

/** Merged pull requests without a decision, in the order in which they were merged. */
export async function findUndecided(db: Kysely<Schema>, now: Date, limit: number) {
  return mergesWithRepository(db)
    .where('merges.status', '=', 'found')
    .where((where) => where.or([where('merges.next_try_at', 'is', null), where('merges.next_try_at', '<=', now)]))
    .orderBy('merges.merged_at')
    .orderBy('merges.number')
    .limit(limit)
    .execute()
}

/** A group of followers with the same settings, and its size. */
export interface Followers {
  language: string
  automatic_articles: 'notable' | 'everything'
  includes_bots: boolean
  count: number
}

/** The followers of a repository who want automatic articles. */
export async function findFollowers(db: Kysely<Schema>, hostRepoId: number): Promise<Followers[]> {
  const rows = await db
    .selectFrom('favorites')
    .innerJoin('users', 'users.id', 'favorites.user_id')
    .where('favorites.host_repo_id', '=', hostRepoId)
    .where('favorites.automatic_articles', '!=', 'off')
    .where(mayAct)
    .select(['users.language', 'favorites.automatic_articles', 'favorites.includes_bots'])
    .select(sql<number>`count(*)::integer`.as('count'))
    .groupBy(['users.language', 'favorites.automatic_articles', 'favorites.includes_bots'])
    .execute()
  return rows as Followers[]
}

type Change = Updateable<MergesTable>

/**
 * Updates the stored merge, unless another node has changed its status meanwhile. Returns whether it did.
 */
export async function updateMerge(
  db: Kysely<Schema>,
  { host_repo_id, number, status }: MergeKey & Pick<OpenMerge, 'status'>,
  change: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('merges')
    .set(change)
    .where('host_repo_id', '=', host_repo_id)
    .where('number', '=', number)
    .where('status', '=', status)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
