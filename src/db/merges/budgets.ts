import { type Kysely, sql } from 'kysely'
import type { ErrorCode } from '../../errors.ts'
import type { Schema } from '../schema/schema.ts'
import { mergesWithRepository } from './decisions.ts'

export interface Budget {
  /** The day that articles count against. */
  day: string
  perRepository: number
  /** Whether the budget of the whole service is used up. */
  isSpent: boolean
}

/** Errors that are not due to the pull request: nothing could be written at that time. */
export const TRANSIENT_CODES: readonly ErrorCode[] = ['MODEL_UNAVAILABLE', 'QUOTA_EXCEEDED', 'SERVICE_UNAVAILABLE']

/** The automatic texts begun since the start of a day (UTC), one for each language and try. */
const startedOn = (day: string) => sql`article_jobs where is_automatic
  and created_at >= (${day}::timestamp at time zone 'UTC')
  and (error_code is null or error_code <> all(${TRANSIENT_CODES}::text[]))`

/** Repositories whose budget of the day is used up. */
function spentRepositories({ day, perRepository }: Budget) {
  return sql`(
    select host_repo_id from ${startedOn(day)} group by host_repo_id having count(*) >= ${perRepository}::bigint
  )`
}

export async function countStarted(db: Kysely<Schema>, day: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${startedOn(day)}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function countStartedOf(db: Kysely<Schema>, day: string, hostRepoId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${startedOn(day)} and host_repo_id = ${hostRepoId}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function countWriting(db: Kysely<Schema>): Promise<number> {
  const { count } = await db
    .selectFrom('merges')
    .where('status', '=', 'writing')
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * The next pull request to write an article about within the budget: one whose article was begun or has failed, else
 * the one with the highest score.
 */
export async function findNextToWrite(db: Kysely<Schema>, budget: Budget, now: Date) {
  if (budget.isSpent) return undefined
  const isWithinBudget = sql<boolean>`merges.host_repo_id not in ${spentRepositories(budget)}`
  const isDue = sql<boolean>`(merges.next_try_at is null or merges.next_try_at <= ${now}::timestamptz)`
  const begun = await mergesWithRepository(db)
    .where('merges.started_on', 'is not', null)
    .where('merges.status', 'in', ['queued', 'waiting', 'failed'])
    .where(sql<boolean>`(merges.status <> 'failed' or merges.next_try_at is not null)`)
    .where(isDue)
    .where(isWithinBudget)
    .orderBy('merges.score', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (begun) return begun
  const failed = await mergesWithRepository(db)
    .where('merges.status', '=', 'failed')
    .where('merges.next_try_at', '<=', now)
    .where(isWithinBudget)
    .orderBy('merges.next_try_at')
    .limit(1)
    .executeTakeFirst()
  if (failed) return failed
  return mergesWithRepository(db)
    .where('merges.status', 'in', ['queued', 'waiting'])
    .where(isDue)
    .where(isWithinBudget)
    .orderBy('merges.score', 'desc')
    .orderBy('merges.merged_at')
    .orderBy('merges.number')
    .limit(1)
    .executeTakeFirst()
}

/** Marks queued pull requests as `waiting` if the budget of the day leaves no room for them. */
export async function markWaiting(db: Kysely<Schema>, budget: Budget): Promise<void> {
  await db
    .updateTable('merges')
    .set({ status: 'waiting' })
    .where('status', '=', 'queued')
    .where(budget.isSpent ? sql<boolean>`true` : sql<boolean>`host_repo_id in ${spentRepositories(budget)}`)
    .execute()
}

/**
 * Skips pull requests that wait for the budget and were decided before `since`. Those that have a text already keep
 * waiting for their other languages.
 */
export async function skipWaiting(db: Kysely<Schema>, since: Date): Promise<void> {
  await db
    .updateTable('merges')
    .set({ status: 'skipped', reason: 'budget_spent' })
    .where('status', '=', 'waiting')
    .where('started_on', 'is', null)
    .where('decided_at', '<', since)
    .execute()
}

/** The pull requests with the status `writing` whose job has ended or no longer exists. */
export async function findEndedJobs(db: Kysely<Schema>, limit: number) {
  return db
    .selectFrom('merges')
    .leftJoin('article_jobs', 'article_jobs.id', 'merges.job_id')
    .where('merges.status', '=', 'writing')
    .where((where) =>
      where.or([where('article_jobs.id', 'is', null), where('article_jobs.status', 'in', ['succeeded', 'failed'])]),
    )
    .limit(limit)
    .select(['merges.host_repo_id', 'merges.number', 'merges.status', 'merges.attempts'])
    .select([
      'article_jobs.status as job_status',
      'article_jobs.session_id',
      'article_jobs.error_code',
      'article_jobs.error_message',
      'article_jobs.error_reason',
      'article_jobs.retry_at',
    ])
    .execute()
}
