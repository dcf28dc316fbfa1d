import { type Kysely, sql, type Transaction } from 'kysely'
import { cancelInQueue } from '../jobs/queue.ts'
import type { ArticleJobsTable } from '../schema/articleTables.ts'
import type { Schema } from '../schema/schema.ts'

/** The jobs with their repositories and users, visible to nobody else. */
function jobs(db: Kysely<Schema>) {
  return db
    .selectFrom('article_jobs')
    .innerJoin('repositories', 'repositories.host_repo_id', 'article_jobs.host_repo_id')
    .leftJoin('users', 'users.id', 'article_jobs.user_id')
    .select([
      'article_jobs.id',
      'article_jobs.status',
      'repositories.owner',
      'repositories.name',
      'article_jobs.number',
      'article_jobs.language',
      'users.host_username as login',
      'article_jobs.is_automatic',
      'article_jobs.created_at',
      'article_jobs.updated_at',
      'article_jobs.request_id',
      'article_jobs.error_code',
      'article_jobs.error_reason',
      'article_jobs.error_message',
      'article_jobs.error_cause',
      'repositories.private',
    ])
}

export type AdminJob = Awaited<ReturnType<typeof findJobs>>[number]

/** The newest jobs of all users. */
export async function findJobs(db: Kysely<Schema>, { limit, isFailed }: { limit: number; isFailed: boolean }) {
  return jobs(db)
    .where(isFailed ? sql<boolean>`article_jobs.status = 'failed'` : sql<boolean>`true`)
    .orderBy('article_jobs.created_at', 'desc')
    .orderBy('article_jobs.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findJob(db: Kysely<Schema>, id: string): Promise<AdminJob | undefined> {
  return jobs(db).where('article_jobs.id', '=', id).executeTakeFirst()
}

type JobError = Pick<ArticleJobsTable, 'error_code' | 'error_message' | 'error_reason'>

/** Jobs of a user, jobs about a pull request, or one job. */
type Which = { id: string } | { user_id: string } | { host_repo_id: number; number: number }

/** Ends queued and running jobs with an error. Returns how many. */
export async function endJobs(trx: Transaction<Schema>, which: Which, error: JobError, now: Date): Promise<number> {
  const ended = await trx
    .updateTable('article_jobs')
    .set({ ...error, status: 'failed', stage: 'done', updated_at: now })
    .where((where) => where.and(which))
    .where('status', 'in', ['queued', 'running'])
    .returning('id')
    .execute()
  await cancelInQueue(
    trx,
    ended.map(({ id }) => id),
  )
  return ended.length
}

/** Lets a failed job wait for a worker again. Returns false if it has not failed. */
export async function requeueJob(trx: Transaction<Schema>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('article_jobs')
    .set({
      ...{ status: 'queued', stage: 'queued', progress: 0, lost_claims: 0, updated_at: now },
      ...{ error_code: null, error_message: null, error_reason: null, error_cause: null, retry_at: null },
    })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
