import type { Context } from '../context.ts'
import { type ClaimedJob, findLiveJob, moveJob, succeed } from '../db/articleJobs.ts'
import { findTexts, upsertArticle } from '../db/articles.ts'

const PATIENCE_MILLISECONDS = 180_000

/**
 * Where the pull request has moved on since a job was asked for, the job is for the new head commit from then on. Answers
 * whether that one is written about already, by another job that is waited for, so that this one is done with it.
 */
export async function isWrittenByAnother(ctx: Context, job: ClaimedJob, headSha: string): Promise<boolean> {
  if (job.head_sha === headSha) return false
  const until = performance.now() + PATIENCE_MILLISECONDS
  while (!(await moveJob(ctx.db, job, headSha))) {
    const other = await findLiveJob(ctx.db, { ...keyOf(job), head_sha: headSha })
    if (other) await ctx.jobs.ended(other.id, until - performance.now())
    if (performance.now() > until) return false
  }
  const texts = await findTexts(ctx.db, job)
  const written = texts.some(
    (text) =>
      text.language === job.language &&
      text.head_sha === headSha &&
      text.kind === job.kind &&
      text.prompt_version === job.prompt_version,
  )
  if (!written || job.forced) return false
  return succeed(ctx.db, job, await upsertArticle(ctx.db, job, ctx.now()), ctx.now())
}

function keyOf({ host_repo_id, number, language, kind, prompt_version }: ClaimedJob) {
  return { host_repo_id, number, language, kind, prompt_version }
}
