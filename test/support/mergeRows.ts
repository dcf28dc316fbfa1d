import { sql } from 'kysely'
import { type FoundMerge, insertMerges } from '../../src/db/merges/merges.ts'
import type { MergeRow } from '../../src/db/schema/mergeTables.ts'
import type { Service } from './service.ts'

type Decision = Partial<Omit<MergeRow, 'host_repo_id' | 'factors'>> & {
  number: number
  factors?: { name: string; points: number; count: number | null }[]
}

/** Stores merged pull requests of a repository as the poller does, each merged a minute after the one before. */
export async function listedMerges({ ctx }: Service, hostRepoId: number, merges: Decision[]): Promise<void> {
  const now = ctx.now()
  const start = Date.parse('2026-02-03T00:00:00Z')
  const toFound = ({ number, url, title, author, author_is_bot, merged_at }: Decision, i: number): FoundMerge => ({
    number,
    url: url ?? `https://github.com/acme/some/pull/${number}`,
    title: title ?? `Change ${number}`,
    author: author ?? 'ann',
    author_is_bot: author_is_bot ?? false,
    merged_at: merged_at ?? new Date(start + i * 60_000),
  })
  for (const isEarlier of [false, true]) {
    const found = merges.flatMap((merge, i) => ((merge.is_earlier ?? false) === isEarlier ? [toFound(merge, i)] : []))
    await insertMerges(ctx.db, { hostRepoId, isEarlier, now }, found)
  }
  for (const { factors, ...decision } of merges)
    await ctx.db
      .updateTable('merges')
      .set({ ...decision, ...(factors && { factors: JSON.stringify(factors) }) })
      .where('host_repo_id', '=', hostRepoId)
      .where('number', '=', decision.number)
      .execute()
}

/** Sets when a repository was last checked for merges and when its next check is due. */
export async function checkedAt({ ctx }: Service, hostRepoId: number, at: Date, next: Date): Promise<void> {
  await ctx.db
    .updateTable('watched_repositories')
    .set({ checked_at: at, next_check_at: next, merged_since: sql<Date>`started_at` })
    .where('host_repo_id', '=', hostRepoId)
    .execute()
}
