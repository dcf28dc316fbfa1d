import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { isDue } from './walks.ts'

/** Which steps of the poller have something to do. */
export interface OpenWork {
  isCheckDue: boolean
  hasUndecided: boolean
  hasUnwritten: boolean
  hasWriting: boolean
}

/**
 * Each subquery of `merges` sorts in the order of an index, so that Postgres reads one row of the index. For `exists`,
 * Postgres might scan the table until it finds a matching row.
 */
export async function findOpenWork(db: Kysely<Schema>, now: Date): Promise<OpenWork> {
  const { rows } = await sql<OpenWork>`
    select
      exists (select from watched_repositories where ${isDue(now)}) as "isCheckDue",
      (select true from merges where status = 'found' order by merged_at limit 1) is not null as "hasUndecided",
      coalesce(
        (select true from merges where status in ('queued', 'waiting') order by score desc limit 1),
        (
          select true from merges where status = 'failed' and next_try_at <= ${now}::timestamptz
          order by next_try_at limit 1
        )
      ) is not null as "hasUnwritten",
      (select true from merges where status = 'writing' order by host_repo_id limit 1) is not null as "hasWriting"
  `.execute(db)
  const [work] = rows
  if (!work) throw new Error('A query without a table returned no row.')
  return work
}

/** The number of merged pull requests that are not done, by status. */
export async function countOpenMerges(db: Kysely<Schema>): Promise<{ status: string; count: number }[]> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::integer as count from merges
    where status in ('found', 'queued', 'waiting', 'writing', 'failed') group by status`.execute(db)
  return rows
}

/** How late the most overdue check of a watched repository is. */
export async function findOverdueSeconds(db: Kysely<Schema>, now: Date): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select greatest(0, extract(epoch from ${now}::timestamptz - min(next_check_at)))::real as seconds
    from watched_repositories`.execute(db)
  return rows[0]?.seconds ?? 0
}
