import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Problem } from '../../errors.ts'
import type { ArticleJobRow, ArticleJobsTable, JobStage } from '../schema/articleTables.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository, shownTo } from '../visibility.ts'

export type JobKey = Pick<
  ArticleJobRow,
  'host_repo_id' | 'number' | 'head_sha' | 'language' | 'kind' | 'prompt_version'
>

const JOB_COLUMNS = [
  'article_jobs.id',
  'article_jobs.host_repo_id',
  'article_jobs.number',
  'article_jobs.language',
  'article_jobs.status',
  'article_jobs.stage',
  'article_jobs.progress',
  'article_jobs.error_code',
  'article_jobs.error_message',
  'article_jobs.error_reason',
  'article_jobs.error_cause',
  'article_jobs.retry_at',
  'article_jobs.article_id',
  'article_jobs.created_at',
  'article_jobs.updated_at',
] as const

/** The row of a new job that waits for a worker. */
export function queuedJob(id: string, key: JobKey, now: Date) {
  return {
    id,
    ...key,
    status: 'queued' as const,
    stage: 'queued' as const,
    progress: 0,
    attempt: 0,
    error_code: null,
    error_message: null,
    retry_at: null,
    article_id: null,
    created_at: now,
    updated_at: now,
  }
}

/** Returns false if a queued or running job for the same text exists. */
export async function insertJob(db: Kysely<Schema>, job: Insertable<ArticleJobsTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('article_jobs')
    .values(job)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function findLiveJob(db: Kysely<Schema>, key: JobKey) {
  return db
    .selectFrom('article_jobs')
    .where((where) => where.and(key))
    .where('status', 'in', ['queued', 'running'])
    .select(['id', 'status', 'forced', 'session_id', 'updated_at'])
    .executeTakeFirst()
}

/** The states of jobs. For internal use: it ignores visibility. */
export async function findJobStates(db: Kysely<Schema>, ids: string[]) {
  return db
    .selectFrom('article_jobs')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select(['id', 'status', 'stage', 'progress', 'error_code', 'error_message', 'error_reason', 'retry_at'])
    .execute()
}

/**
 * The jobs of visible repositories, without those of hidden pull requests. Each has the title of its pull request, or
 * null if the title is not visible.
 */
export function shownJobs(db: Kysely<Schema>, audience: Audience) {
  return shownTo(db, audience)
    .innerJoin('article_jobs', 'article_jobs.host_repo_id', 'repositories.host_repo_id')
    .innerJoin('pull_requests', (join) =>
      join
        .onRef('pull_requests.host_repo_id', '=', 'article_jobs.host_repo_id')
        .onRef('pull_requests.number', '=', 'article_jobs.number'),
    )
    .where('pull_requests.hidden_by', 'is', null)
    .select(['repositories.owner', 'repositories.name'])
    .select(sql<string | null>`case when ${fitsRepository('pull_requests')} then pull_requests.title end`.as('title'))
    .select(JOB_COLUMNS)
}

export async function findShownJob(db: Kysely<Schema>, audience: Audience, id: string) {
  return shownJobs(db, audience).where('article_jobs.id', '=', id).executeTakeFirst()
}

/** The repository of a job, visible or not. */
export async function findRepositoryOfJob(db: Kysely<Schema>, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('article_jobs').where('id', '=', id).select('host_repo_id').executeTakeFirst()
  return row?.host_repo_id
}

/**
 * Claims a job for this worker; the previous worker can then no longer update it. If the job is still `running`, the
 * previous worker neither ended it nor put it back, so its claim counts as lost.
 */
export async function claimJob(db: Kysely<Schema>, id: string, now: Date) {
  return db
    .updateTable('article_jobs')
    .set(({ eb }) => ({
      attempt: eb('attempt', '+', 1),
      lost_claims: sql<number>`lost_claims + (status = 'running')::integer`,
      status: 'running' as const,
      stage: 'reading' as const,
      progress: 0,
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning([
      'id',
      'host_repo_id',
      'number',
      'head_sha',
      'language',
      'kind',
      'prompt_version',
      'forced',
      'session_id',
      'user_id',
      'request_id',
      'is_automatic',
      'attempt',
      'lost_claims',
    ])
    .returning((row) =>
      row
        .selectFrom('repositories')
        .whereRef('repositories.host_repo_id', '=', 'article_jobs.host_repo_id')
        .select(sql<string>`owner || '/' || name`.as('repository'))
        .as('repository'),
    )
    .executeTakeFirst()
}

export type ClaimedJob = NonNullable<Awaited<ReturnType<typeof claimJob>>>

type Change = Partial<
  Pick<
    ArticleJobRow,
    'status' | 'stage' | 'error_code' | 'error_message' | 'error_reason' | 'error_cause' | 'retry_at' | 'article_id'
  > & {
    progress: number | RawBuilder<number>
  }
>

/** Returns false if another worker has claimed the job since. */
async function updateClaimed(db: Kysely<Schema>, job: ClaimedJob, change: Change, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('article_jobs')
    .set({ ...change, updated_at: now })
    .where('id', '=', job.id)
    .where('attempt', '=', job.attempt)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function reportProgress(
  db: Kysely<Schema>,
  job: ClaimedJob,
  stage: JobStage,
  progress: number,
  now: Date,
): Promise<boolean> {
  // A retry within the job must not move the progress back.
  return updateClaimed(db, job, { stage, progress: sql<number>`greatest(progress, ${progress}::real)` }, now)
}

export async function succeed(db: Kysely<Schema>, job: ClaimedJob, articleId: string, now: Date): Promise<boolean> {
  const change = { status: 'succeeded' as const, stage: 'done' as const, progress: 1, article_id: articleId }
  return updateClaimed(db, job, change, now)
}

/** Puts a job back into the queue, so that it is not shown as running while it waits for the next worker. */
export async function putBackJob(db: Kysely<Schema>, job: ClaimedJob, now: Date): Promise<void> {
  await updateClaimed(db, job, { status: 'queued', stage: 'queued' }, now)
}

export async function failJob(
  db: Kysely<Schema>,
  job: ClaimedJob,
  problem: Problem,
  cause: string | null,
  now: Date,
): Promise<boolean> {
  const retryAt = problem.retryAfter === undefined ? null : new Date(now.getTime() + problem.retryAfter * 1000)
  const error = {
    error_code: problem.code,
    error_message: problem.message,
    error_reason: problem.details?.reason ?? null,
    error_cause: cause,
    retry_at: retryAt,
  }
  return updateClaimed(db, job, { status: 'failed', stage: 'done', ...error }, now)
}
