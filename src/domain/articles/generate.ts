import type { Context } from '../../context.ts'
import { abandonJob } from '../../db/articles/abandonedJobs.ts'
import { findJobStates, findLiveJob, type JobKey } from '../../db/articles/articleJobs.ts'
import { raisePriority } from '../../db/jobs/queue.ts'
import type { Name } from '../../db/repositories/repositories.ts'
import type { ArticleJobRow } from '../../db/schema/articleTables.ts'
import { Problem } from '../../errors.ts'
import { isRecent } from '../../lib/clock.ts'
import { addLogFields } from '../../lib/logFields.ts'
import { HOUR_MS } from '../../lib/times.ts'
import { longestCallSeconds } from '../../writer/modelBudget.ts'
import { languageName } from '../../writer/proof/languages.ts'
import { requireLiveViewer } from '../accounts/liveSession.ts'
import type { Viewer } from '../accounts/session.ts'
import { type CurrentHead, currentHead } from './currentHead.ts'
import { type ArticleJob, readJob } from './jobs.ts'
import { type Read, readAwaited } from './read.ts'
import { requireNotForcedRecently, startJob, textFor, viewerStarter } from './startJob.ts'
import { textKeyOf } from './textKey.ts'

export interface GenerateRequest {
  name: Name
  number: number
  language: string
  force: boolean
  waitMilliseconds: number
}

type Outcome<T> = { article: T } | { job: ArticleJob }

const MIN_IDLE_MS = 10 * 60_000
const MAX_ATTEMPTS = 3

/** Returns the article in a language, stored or newly written; or the job, if writing takes longer than the wait. */
export async function generate<T>(
  ctx: Context,
  viewer: Viewer,
  request: GenerateRequest,
  readAs: Read<T>,
): Promise<Outcome<T>> {
  languageName(request.language)
  addLogFields({ repository: `${request.name.owner}/${request.name.repo}`, number: request.number })
  const head = await currentHead(ctx, viewer, request.name, request.number)
  const key = textKeyOf(ctx, head, request)
  const read = () => readAwaited(ctx, viewer, head.host_repo_id, request.number, readAs)
  const jobId = await jobFor(ctx, viewer, head, key, request.force)
  ctx.telemetry.metrics?.lookedUp('article', jobId === 'there')
  if (jobId === 'there') return { article: await read() }
  addLogFields({ jobId })
  const wait = { milliseconds: request.waitMilliseconds, sessionId: viewer.id }
  const ended = wait.milliseconds > 0 ? await ctx.jobs.watch.ended(jobId, wait) : undefined
  await requireLiveViewer(ctx, viewer)
  if (ended?.status === 'succeeded') return { article: await read() }
  if (ended?.error_code) throw problemOf(ctx, ended.error_code, ended)
  return { job: await readJob(ctx, viewer, jobId) }
}

/** The id of the job that writes the text, or 'there' if the text exists already. */
async function jobFor(
  ctx: Context,
  viewer: Viewer,
  head: CurrentHead,
  key: JobKey,
  force: boolean,
): Promise<string | 'there'> {
  for (let attempt = 1; ; attempt++) {
    // Look for the job before the text: a job that ends in between has stored its text.
    const live = await findLiveJob(ctx.db, key)
    const text = await textFor(ctx.db, key, head)
    if (text && !force) return 'there'
    const maxIdleMs = live?.status === 'queued' ? HOUR_MS : maxRunningIdleMs(ctx)
    if (live && isRecent(live.updated_at, ctx.now(), maxIdleMs)) {
      if (live.status === 'queued' && live.session_id === null) await raisePriority(ctx.db, live.id)
      return live.id
    }
    if (live) await abandonJob(ctx.db, live.id, maxIdleMs, ctx.now())
    if (text) requireNotForcedRecently(ctx, text)
    const started = await startJob(ctx, viewerStarter(ctx, viewer), head, key, force)
    if (started) return started
    if (attempt === MAX_ATTEMPTS)
      throw new Problem('SERVICE_UNAVAILABLE', 'Too many concurrent requests for this article. Try again.', {
        retryAfter: 1,
      })
  }
}

/** How long a running job may go without progress. */
function maxRunningIdleMs({ config: { model } }: Context): number {
  return Math.max(MIN_IDLE_MS, (model ? longestCallSeconds(model) : 0) * 4000)
}

/** The problem that a failed job reports to its callers. */
export async function failureOf(ctx: Context, id: string, error: NonNullable<ArticleJob['error']>): Promise<Problem> {
  const [state] = await findJobStates(ctx.db, [id])
  const { code, message, reason = null } = error
  return problemOf(ctx, code, { id, error_message: message, error_reason: reason, retry_at: state?.retry_at ?? null })
}

type Ended = Pick<ArticleJobRow, 'id' | 'error_message' | 'error_reason' | 'retry_at'>

function problemOf(ctx: Context, code: Problem['code'], { id, error_message, error_reason, retry_at }: Ended): Problem {
  const seconds = retry_at && Math.ceil((retry_at.getTime() - ctx.now().getTime()) / 1000)
  return new Problem(code, error_message ?? '', {
    details: { jobId: id, ...(error_reason && { reason: error_reason }) },
    ...(seconds !== null && { retryAfter: Math.max(1, seconds) }),
  })
}
