import { type Insertable, type Kysely, sql } from 'kysely'
import type { MergesTable } from '../schema/mergeTables.ts'
import type { Schema } from '../schema/schema.ts'

export type FoundMerge = Pick<
  Insertable<MergesTable>,
  'number' | 'url' | 'title' | 'author' | 'author_is_bot' | 'merged_at'
>

/** Stores merged pull requests that are not stored yet. Those merged before watching began are skipped at once. */
export async function insertMerges(
  db: Kysely<Schema>,
  { hostRepoId, isEarlier, now }: { hostRepoId: number; isEarlier: boolean; now: Date },
  merges: FoundMerge[],
): Promise<void> {
  if (merges.length === 0) return
  const decision = isEarlier
    ? ({ status: 'skipped', reason: 'earlier', decided_at: now } as const)
    : ({ status: 'found' } as const)
  await db
    .insertInto('merges')
    .values(
      merges.map((merge) => ({
        ...merge,
        ...{ host_repo_id: hostRepoId, found_at: now, is_earlier: isEarlier },
        ...decision,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

interface Merged {
  number: number
  mergedAt: string | null
  updatedAt: string
}

/**
 * Marks stored pull requests as merged. Otherwise lists would show those with an article as open, because most of them
 * are not fetched again. A fetch that began before the merge does not undo the mark, because its `host_updated_at` is
 * earlier.
 */
export async function markMerged(db: Kysely<Schema>, hostRepoId: number, pulls: Merged[]): Promise<void> {
  const numbers = pulls.map(({ number }) => number)
  const merged = pulls.map(({ mergedAt }) => mergedAt)
  const updated = pulls.map(({ updatedAt }) => updatedAt)
  await sql`
    update pull_requests
    set state = 'closed', merged_at = found.merged_at, host_updated_at = greatest(host_updated_at, found.updated_at)
    from unnest(${numbers}::integer[], ${merged}::timestamptz[], ${updated}::timestamptz[])
      as found (number, merged_at, updated_at)
    where pull_requests.host_repo_id = ${hostRepoId}::bigint and pull_requests.number = found.number
      and pull_requests.merged_at is null`.execute(db)
}
