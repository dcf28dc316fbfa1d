import type { Kysely } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { ClaimedJob } from './articleJobs.ts'

/** Moves a job to another head commit; false if another job for that commit is queued or running. */
export async function moveJob(db: Kysely<Schema>, job: ClaimedJob, headSha: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('article_jobs')
    .set({ head_sha: headSha })
    .where('id', '=', job.id)
    .where('attempt', '=', job.attempt)
    .where('status', '=', 'running')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('article_jobs as other')
            .where('other.id', '!=', job.id)
            .where('other.host_repo_id', '=', job.host_repo_id)
            .where('other.number', '=', job.number)
            .where('other.head_sha', '=', headSha)
            .where('other.language', '=', job.language)
            .where('other.kind', '=', job.kind)
            .where('other.prompt_version', '=', job.prompt_version)
            .where('other.status', 'in', ['queued', 'running'])
            .select('other.id'),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Swaps the head commits of this job and a queued one; false if the queued one has started meanwhile. */
export async function exchangeHeads(
  db: Kysely<Schema>,
  job: ClaimedJob,
  waiting: { id: string; headSha: string },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Head commits are part of a unique key. While the two jobs swap theirs, the waiting job has its own id as a placeholder.
    const placeholder = waiting.id
    const { numUpdatedRows } = await trx
      .updateTable('article_jobs')
      .set({ head_sha: placeholder })
      .where('id', '=', waiting.id)
      .where('head_sha', '=', waiting.headSha)
      .where('status', '=', 'queued')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const head_sha = (await moveJob(trx, job, waiting.headSha)) ? job.head_sha : waiting.headSha
    await trx.updateTable('article_jobs').set({ head_sha }).where('id', '=', waiting.id).execute()
    return true
  })
}
