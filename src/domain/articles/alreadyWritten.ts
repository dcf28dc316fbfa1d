import { once } from 'node:events'
import type { Context } from '../../context.ts'
import { type ClaimedJob, findLiveJob, type JobKey, succeed } from '../../db/articles/articleJobs.ts'
import { findTexts, upsertArticle } from '../../db/articles/articles.ts'
import { exchangeHeads, moveJob } from '../../db/articles/jobHeads.ts'
import { satisfiesKey } from './satisfiesKey.ts'

const OTHER_JOB_TIMEOUT_MS = 180_000
const MAX_TRIES = 3
const UNIQUE_VIOLATION = '23505'

interface CurrentState {
  headSha: string
  private: boolean
}

/**
 * Whether another job has already written this job's text. If the pull request has a new head commit, this job moves to
 * that commit. If a job for that commit is queued, the two jobs swap head commits; if one is running, this job waits
 * for it instead. Returns 'ask again' after the wait, because the state may have changed meanwhile.
 */
export async function isWrittenByAnother(
  ctx: Context,
  job: ClaimedJob,
  now: CurrentState,
  { mayWait, signal }: { mayWait: boolean; signal: AbortSignal },
): Promise<boolean | 'ask again'> {
  if (await isWritten(ctx, job, now)) return true
  if (job.head_sha === now.headSha) return false
  const writer = await becomeWriter(ctx, job, keyOf(job, now))
  if (writer === job.id || !mayWait) return false
  await ctx.jobs.watch.ended(writer, { milliseconds: OTHER_JOB_TIMEOUT_MS })
  // A closing node must not start new work: wait for the abort, so that another node takes the job.
  if (ctx.jobs.watch.closing && !signal.aborted) await once(signal, 'abort')
  signal.throwIfAborted()
  return (await isWritten(ctx, job, now)) || 'ask again'
}

function keyOf(
  { host_repo_id, number, language, kind, prompt_version }: ClaimedJob,
  { headSha }: CurrentState,
): JobKey {
  return { host_repo_id, number, language, kind, prompt_version, head_sha: headSha }
}

async function isWritten(ctx: Context, job: ClaimedJob, now: CurrentState): Promise<boolean> {
  if (job.forced) return false
  const texts = await findTexts(ctx.db, job)
  const key = keyOf(job, now)
  if (!texts.some((text) => text.language === job.language && satisfiesKey(text, key, now))) return false
  return succeed(ctx.db, job, await upsertArticle(ctx.db, job, ctx.now()), ctx.now())
}

/**
 * Makes this job the writer for another head commit, unless a job for that commit is running. Returns the id of the
 * writing job.
 */
async function becomeWriter(ctx: Context, job: ClaimedJob, key: JobKey): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const other = await findLiveJob(ctx.db, key)
    if (other?.status === 'running') return other.id
    // Do not displace a forced job: its caller wants a new text in any case.
    if (other?.forced && !job.forced) break
    const move = other
      ? exchangeHeads(ctx.db, job, { id: other.id, headSha: key.head_sha })
      : moveJob(ctx.db, job, key.head_sha)
    if (await move.catch(falseOnUniqueViolation)) break
  }
  return job.id
}

function falseOnUniqueViolation(error: { code?: unknown }): false {
  if (error.code !== UNIQUE_VIOLATION) throw error
  return false
}
