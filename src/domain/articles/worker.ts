import type { Context } from '../../context.ts'
import { type ClaimedJob, claimJob, failJob, putBackJob, reportProgress } from '../../db/articles/articleJobs.ts'
import { findOlderVersion } from '../../db/articles/articles.ts'
import { findStored } from '../../db/pulls/pullRequests.ts'
import type { JobStage } from '../../db/schema/articleTables.ts'
import { Problem } from '../../errors.ts'
import { type LogFields, withLogFields } from '../../lib/logFields.ts'
import { ModelUnavailable, PromptRefused, WindowTooSmall } from '../../model/errors.ts'
import type { StoredContent } from '../../writer/content.ts'
import { BadAnswer, generationFailed, modelUnavailable } from '../../writer/errors.ts'
import { readFacts } from '../pulls/offLoop.ts'
import { pullRequestNotFound } from '../repositories/problems.ts'
import { isWrittenByAnother } from './alreadyWritten.ts'
import { leaveTrial, modelAnswered, requireModelUp } from './breaker.ts'
import { compose } from './compose.ts'
import { causeOf, faultsOf } from './failureCause.ts'
import { requireMayBeSent, requireStillAllowed } from './permission.ts'
import { stepsOf } from './runSteps.ts'
import { store } from './store.ts'

/** Internal errors may be transient, so they are retried, but not forever. */
const MAX_ATTEMPTS = 3
/** A job fails after losing this many claims: if it crashes its node, it must not crash every node in turn. */
const MAX_LOST_CLAIMS = 3
const INTERNAL_ERROR = new Problem('INTERNAL_SERVER_ERROR', 'Something went wrong on our side.')

/** Another worker has claimed the job; this one discards its result. */
class Superseded extends Error {}

/** Starts the workers of this node that write articles. */
export async function startWriting(ctx: Context): Promise<void> {
  await ctx.jobs.queue.work(ctx.config.articles.atOnce, async ({ jobId, traceparent }, signal) => {
    const job = await claimJob(ctx.db, jobId, ctx.now())
    if (!job) return
    ctx.jobs.watch.pollNow()
    const run = () => runJob(ctx, job, signal).catch((error) => endWithError(ctx, job, signal, error))
    const attributes = { 'pullpress.job_id': job.id }
    await withLogFields(logFieldsOf(job), () =>
      ctx.telemetry.tracing ? ctx.telemetry.tracing.within('write article', { traceparent, attributes }, run) : run(),
    )
    if (job.kind === 'model') await leaveTrial(ctx, job.id)
    ctx.jobs.watch.pollNow()
  })
}

async function runJob(ctx: Context, job: ClaimedJob, signal: AbortSignal, mayWait = true): Promise<void> {
  const report = async (stage: JobStage, progress: number): Promise<void> => {
    signal.throwIfAborted()
    const rounded = Math.round(progress * 100) / 100
    if (!(await reportProgress(ctx.db, job, stage, rounded, ctx.now()))) throw new Superseded()
    ctx.jobs.watch.pollNow()
  }
  if (job.lost_claims >= MAX_LOST_CLAIMS)
    throw generationFailed('Writing the article was interrupted too often.', { reason: 'node_lost' })
  await requireStillAllowed(ctx, job)
  const stored = await findStored(ctx.db, job.host_repo_id, job.number)
  if (!stored) throw pullRequestNotFound()
  requireMayBeSent(ctx, job, stored)
  const { document } = stored
  const { headSha, hostPrUrl } = await readFacts(ctx.threads, document)
  const now = { headSha, private: stored.private }
  const written = await isWrittenByAnother(ctx, job, now, { mayWait, signal })
  if (written === true) return
  if (written === 'ask again') return runJob(ctx, job, signal, false)
  const older = job.forced ? undefined : await findOlderVersion(ctx.db, { ...job, head_sha: headSha }, stored)
  if (job.kind === 'model' && !older) await requireModelUp(ctx, job.id)
  const subject = { document, headSha, hostPrUrl, private: stored.private }
  const content: StoredContent = older ? JSON.parse(older) : await compose(ctx, job, subject, signal, report)
  await report('storing', 0.95)
  const rendering = await stepsOf(ctx, signal)('render', { content, language: job.language, hostPrUrl, document })
  const text = { content, ...rendering, private: stored.private }
  if (!(await store(ctx, job, text))) throw new Superseded()
  const { kind } = content.generator
  if (older) ctx.log.info({ kind }, 'The pull request was reset to an earlier commit: reusing the article about it.')
  else ctx.log.info(generatorFieldsOf(content), 'Article written.')
  ctx.telemetry.metrics?.jobEnded('succeeded')
}

function logFieldsOf({ id, request_id, user_id, repository, host_repo_id, number, language }: ClaimedJob): LogFields {
  const about = { repository: repository ?? '', hostRepoId: host_repo_id, number, language }
  return { jobId: id, ...(request_id && { reqId: request_id }), ...(user_id && { userId: user_id }), ...about }
}

function generatorFieldsOf({ generator }: StoredContent) {
  const { promptVersion: _, translatedFrom: __, ...fields } = generator
  return fields
}

/** Errors of the writing itself fail the job; internal errors put it back for a retry. */
async function endWithError(ctx: Context, job: ClaimedJob, signal: AbortSignal, error: unknown): Promise<void> {
  if (error instanceof Superseded) return
  const problem = problemOf(error) ?? (job.attempt < MAX_ATTEMPTS ? undefined : INTERNAL_ERROR)
  if (!problem || signal.aborted) {
    await putBackJob(ctx.db, job, ctx.now()).catch(() => {})
    throw error
  }
  const reason = problem.details?.reason
  const faults = faultsOf(error)
  ctx.log[problem === INTERNAL_ERROR ? 'error' : 'warn'](
    { err: error, code: problem.code, reason, ...(faults.length > 0 && { faults }) },
    'Article generation failed.',
  )
  if (error instanceof PromptRefused || error instanceof WindowTooSmall) await modelAnswered(ctx)
  await failJob(ctx.db, job, problem, causeOf(error, problem.message), ctx.now())
  ctx.telemetry.metrics?.jobEnded('failed')
  ctx.telemetry.metrics?.jobFailed(reason ?? problem.code.toLowerCase())
}

export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof BadAnswer) return generationFailed(error.message, { cause: error })
  if (error instanceof PromptRefused) return generationFailed('The model refused this pull request.', { cause: error })
  if (error instanceof WindowTooSmall)
    return generationFailed(error.message, { cause: error, reason: 'model_window_too_small' })
  if (error instanceof ModelUnavailable) return modelUnavailable(error.retryAfter, error)
  return undefined
}
