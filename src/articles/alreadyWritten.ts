import type { Context } from '../context.ts'
import { type ClaimedJob, exchangeHeads, findLiveJob, moveJob, succeed, type TextKey } from '../db/articleJobs.ts'
import { findTexts, upsertArticle } from '../db/articles.ts'
import { answers } from './answers.ts'

const PATIENCE_MILLISECONDS = 180_000
const MOST_TRIES = 3

/**
 * Whether what a job is to write has been written by another. Where the pull request has moved on since it was asked for,
 * the job is for the new head commit from then on, and whichever waited for its turn to write about that waits for this
 * one; one that writes about it already is waited for.
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
    const writer = await becomeWriter(ctx, job, key)
    if (writer !== job.id) await ctx.jobs.ended(writer, PATIENCE_MILLISECONDS)
    signal.throwIfAborted()
  }
  if (forced) return false
  const texts = await findTexts(ctx.db, job)
  if (!texts.some((text) => text.language === language && answers(text, key, now))) return false
  return succeed(ctx.db, job, await upsertArticle(ctx.db, job, ctx.now()), ctx.now())
}

/** Makes a job the one that writes about another head commit, unless there is one: answers which it is. */
async function becomeWriter(ctx: Context, job: ClaimedJob, key: TextKey): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const other = await findLiveJob(ctx.db, key)
    if (other?.status === 'running') return other.id
    const is = other
      ? await exchangeHeads(ctx.db, job, { id: other.id, headSha: key.head_sha })
      : await moveJob(ctx.db, job, key.head_sha)
    if (is) break
  }
  return job.id
}
