import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { isLive } from '../../db/accounts/sessions.ts'
import { findRepositoryOfJob, findShownJob } from '../../db/articles/articleJobs.ts'
import { type ErrorCode, Problem } from '../../errors.ts'
import { addLogFields } from '../../lib/logFields.ts'
import { shownStateOf } from '../../runtime/jobs/watch.ts'
import type { Viewer } from '../accounts/session.ts'
import { recheckHiddenAccess } from '../repositories/recheckAccess.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { jobNotFound } from './problems.ts'

export type ArticleJob = components['schemas']['ArticleJob']
type Shown = NonNullable<Awaited<ReturnType<typeof findShownJob>>>

const KEEP_ALIVE_MS = 15_000

/** Reads a job if this session may see its repository. */
export async function readJob(ctx: Context, viewer: Viewer, id: string): Promise<ArticleJob> {
  const find = () => findShownJob(ctx.db, audienceOf(ctx, viewer), id)
  let found = await find()
  if (!found) {
    await recheckHiddenAccess(ctx, viewer, await findRepositoryOfJob(ctx.db, id))
    found = await find()
  }
  if (!found) throw jobNotFound()
  addLogFields({ jobId: id, repository: `${found.owner}/${found.name}`, number: found.number })
  return toJob(found)
}

export function hasEnded({ status }: Pick<ArticleJob, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed'
}

/** Yields the job whenever it has changed, until it ends; undefined every 15 s without a change, as a keep-alive. */
export async function* followJob(
  ctx: Context,
  viewer: Viewer,
  first: ArticleJob,
  { lastSeen, left }: { lastSeen: string | undefined; left: AbortSignal },
): AsyncGenerator<ArticleJob | undefined, void> {
  let known = lastSeen
  for (let job = first; ; ) {
    if (hasEnded(job) || shownStateOf(job) !== known) yield job
    known = undefined
    if (hasEnded(job)) return
    for (const seen = shownStateOf(job); shownStateOf(job) === seen; ) {
      await ctx.jobs.watch.changed(job.id, seen, { milliseconds: KEEP_ALIVE_MS, sessionId: viewer.id, left })
      if (ctx.jobs.watch.closing || left.aborted) return
      if (!(await isLive(ctx.db, viewer.id, ctx.now()))) return
      const now = await readJob(ctx, viewer, job.id).catch(undefinedOnProblem)
      if (!now) return
      job = now
      if (shownStateOf(job) === seen) yield undefined
    }
  }
}

/** Turns a problem into undefined: the stream ends without a message if the viewer may no longer see the repository. */
function undefinedOnProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

export function toJob(row: Shown): ArticleJob {
  const { owner, name } = row
  return {
    id: row.id,
    owner,
    repo: name,
    repositoryFullName: `${owner}/${name}`,
    prNumber: row.number,
    title: row.title,
    language: row.language,
    ...outcomeOf(row),
    stage: row.stage,
    progress: Math.round(row.progress * 1000) / 1000,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The table's constraint `article_jobs_outcome` ties the article and the error to the status. */
function outcomeOf({ status, article_id, error_code, error_message, error_reason: reason, error_cause }: Shown) {
  if (status === 'succeeded') return { status, error: null, articleId: article_id as string }
  const code = error_code as ErrorCode
  if (status === 'failed') {
    const cause = code === 'GENERATION_FAILED' && error_cause ? { cause: error_cause } : {}
    const error = { code, message: error_message ?? '', ...(reason && { reason }), ...cause }
    return { status, error, articleId: null }
  }
  return { status, error: null, articleId: null }
}
