import type { Context } from '../context.ts'
import { type ClaimedJob, findLiveJob, moveJob, succeed } from '../db/articleJobs.ts'
import { findTexts, upsertArticle } from '../db/articles.ts'
import { answers } from './answers.ts'

const PATIENCE_MILLISECONDS = 180_000

/**
 * Whether what a job is to write has been written by another. Where the pull request has moved on since it was asked for,
 * the job is for the new head commit from then on; one that writes about that already is waited for.
 */
export async function isWrittenByAnother(
  ctx: Context,
  job: ClaimedJob,
  now: { headSha: string; private: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const { host_repo_id, number, language, kind, prompt_version, forced } = job
  const key = { host_repo_id, number, language, kind, prompt_version, head_sha: now.headSha }
  if (job.head_sha !== now.headSha) {
    const other = await findLiveJob(ctx.db, key)
    if (other?.status === 'running') await ctx.jobs.ended(other.id, PATIENCE_MILLISECONDS)
    else if (!other) await moveJob(ctx.db, job, now.headSha)
    signal.throwIfAborted()
  }
  if (forced) return false
  const texts = await findTexts(ctx.db, job)
  if (!texts.some((text) => text.language === language && answers(text, key, now))) return false
  return succeed(ctx.db, job, await upsertArticle(ctx.db, job, ctx.now()), ctx.now())
}
