import { once } from 'node:events'
import type { Context } from '../context.ts'
import { type ClaimedJob, findLiveJob, succeed, type TextKey } from '../db/articles/articleJobs.ts'
import { findTexts, upsertArticle } from '../db/articles/articles.ts'
import { exchangeHeads, moveJob } from '../db/articles/jobHeads.ts'
import { satisfies } from './satisfies.ts'

const OTHER_JOB_TIMEOUT_MS = 180_000
const MAX_TRIES = 3
const UNIQUE_VIOLATION = '23505'

interface Now {
  headSha: string
  private: boolean
}

/**
 * Whether what a job is to write has been written by another. Where the pull request has moved on since it was asked for,
 * the job is for the new head commit from then on, and whichever waited for its turn to write about that waits for this
 * one; one that writes about it already is waited for, after which much may have changed.
 */
export async function isWrittenByAnother(
  ctx: Context,
  job: ClaimedJob,
  now: Now,
  { mayWait, signal }: { mayWait: boolean; signal: AbortSignal },
): Promise<boolean | 'ask again'> {
  if (await isWritten(ctx, job, now)) return true
  if (job.head_sha === now.headSha) return false
  const writer = await becomeWriter(ctx, job, keyOf(job, now))
  if (writer === job.id || !mayWait) return false
  await ctx.jobs.ended(writer, { milliseconds: OTHER_JOB_TIMEOUT_MS })
  // Nobody waits any more on a node that goes, and nothing is begun there: others take it up.
  if (ctx.jobs.closing && !signal.aborted) await once(signal, 'abort')
  signal.throwIfAborted()
  return (await isWritten(ctx, job, now)) || 'ask again'
}

function keyOf({ host_repo_id, number, language, kind, prompt_version }: ClaimedJob, { headSha }: Now): TextKey {
  return { host_repo_id, number, language, kind, prompt_version, head_sha: headSha }
}

async function isWritten(ctx: Context, job: ClaimedJob, now: Now): Promise<boolean> {
  if (job.forced) return false
  const texts = await findTexts(ctx.db, job)
  const key = keyOf(job, now)
  if (!texts.some((text) => text.language === job.language && satisfies(text, key, now))) return false
  return succeed(ctx.db, job, await upsertArticle(ctx.db, job, ctx.now()), ctx.now())
}

/** Makes a job the one that writes about another head commit, unless there is one: answers which it is. */
async function becomeWriter(ctx: Context, job: ClaimedJob, key: TextKey): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const other = await findLiveJob(ctx.db, key)
    if (other?.status === 'running') return other.id
    // Who asked for a text to be written anew wants it even so.
    if (other?.forced && !job.forced) break
    const becoming = other
      ? exchangeHeads(ctx.db, job, { id: other.id, headSha: key.head_sha })
      : moveJob(ctx.db, job, key.head_sha)
    if (await becoming.catch(unlessAnotherCame)) break
  }
  return job.id
}

function unlessAnotherCame(error: { code?: unknown }): false {
  if (error.code !== UNIQUE_VIOLATION) throw error
  return false
}
