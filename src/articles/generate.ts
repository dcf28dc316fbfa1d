import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireLive } from '../accounts/liveSession.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { abandonJob } from '../db/articles/abandonedJobs.ts'
import { findLiveJob, insertJob, type TextKey } from '../db/articles/articleJobs.ts'
import { findOlderVersion, findTexts } from '../db/articles/articles.ts'
import { takeArticle, tokensOf } from '../db/articles/quotas.ts'
import type { Name } from '../db/repositories/repositories.ts'
import type { ArticleJobRow } from '../db/schema/articleTables.ts'
import type { Schema } from '../db/schema/schema.ts'
import { Problem } from '../errors.ts'
import { isRecent } from '../lib/clock.ts'
import type { JsonText } from '../lib/jsonText.ts'
import { dayOf, untilTomorrow } from '../writer/errors.ts'
import { tokensSpent } from '../writer/modelBudget.ts'
import { languageName } from '../writer/proof/languages.ts'
import { passBreaker, requireModelUp } from './breaker.ts'
import { type CurrentHead, currentHead } from './currentHead.ts'
import { type ArticleJob, readJob } from './jobs.ts'
import { requireMayBeSent } from './permission.ts'
import { type PullRequestArticle, readAwaited } from './read.ts'
import { satisfies, type WrittenText } from './satisfies.ts'
import { OUTLINE_VERSION, PROMPT_VERSION } from './versions.ts'

export interface GenerateRequest {
  name: Name
  number: number
  language: string
  force: boolean
  waitMilliseconds: number
}

type Outcome = { article: JsonText<PullRequestArticle> } | { job: ArticleJob }

const HOUR_MS = 60 * 60_000
const MIN_IDLE_MS = 10 * 60_000
const MAX_ATTEMPTS = 3
/** For everything but model calls: fetching, reading, waiting for another job. */
const MIN_LIMIT_SECONDS = 10 * 60
const DAY_SECONDS = 24 * 60 * 60

/** Returns the article in a language, stored or newly written; or the job, if writing takes longer than the wait. */
export async function generate(ctx: Context, viewer: Viewer, request: GenerateRequest): Promise<Outcome> {
  languageName(request.language)
  const head = await currentHead(ctx, viewer, request.name, request.number)
  const key = keyOf(ctx, head, request)
  const read = () => readAwaited(ctx, viewer, head.host_repo_id, request.number)
  const jobId = await jobFor(ctx, viewer, head, key, request.force)
  ctx.telemetry.metrics?.lookedUp('article', jobId === 'there')
  if (jobId === 'there') return { article: await read() }
  const wait = { milliseconds: request.waitMilliseconds, sessionId: viewer.id }
  const ended = wait.milliseconds > 0 ? await ctx.jobs.watch.ended(jobId, wait) : undefined
  await requireLive(ctx, viewer)
  if (ended?.status === 'succeeded') return { article: await read() }
  if (ended?.error_code) throw problemOf(ctx, ended.error_code, ended)
  return { job: await readJob(ctx, viewer, jobId) }
}

/** The language that a text is written in: outlines, used without a model, exist in Japanese and English only. */
export function languageWritten({ askModel }: Context, wanted: string): string {
  return askModel || wanted === 'ja' ? wanted : 'en'
}

/** All callers with the same key share one text. */
function keyOf(ctx: Context, head: CurrentHead, { number, language }: GenerateRequest): TextKey {
  const at = { host_repo_id: head.host_repo_id, number, head_sha: head.head_sha }
  const written = { ...at, language: languageWritten(ctx, language) }
  if (ctx.askModel) return { ...written, kind: 'model', prompt_version: PROMPT_VERSION }
  return { ...written, kind: 'outline', prompt_version: OUTLINE_VERSION }
}

/** The id of the job that writes the text, or 'there' if the text exists already. */
async function jobFor(
  ctx: Context,
  viewer: Viewer,
  head: CurrentHead,
  key: TextKey,
  force: boolean,
): Promise<string | 'there'> {
  for (let attempt = 1; ; attempt++) {
    // Look for the job before the text: a job that ends in between has stored its text.
    const live = await findLiveJob(ctx.db, key)
    const text = await textFor(ctx.db, key, head)
    if (text && !force) return 'there'
    const maxIdleMs = live?.status === 'queued' ? HOUR_MS : maxRunningIdleMs(ctx)
    if (live && isRecent(live.updated_at, ctx.now(), maxIdleMs)) return live.id
    if (live) await abandonJob(ctx.db, live.id, maxIdleMs, ctx.now())
    if (text) requireNotForcedRecently(ctx, text)
    const started = await startJob(ctx, viewer, head, key, force)
    if (started) return started
    if (attempt === MAX_ATTEMPTS)
      throw new Problem('SERVICE_UNAVAILABLE', 'Too many concurrent requests for this article. Try again.', {
        retryAfter: 1,
      })
  }
}

async function textFor(db: Kysely<Schema>, key: TextKey, head: CurrentHead): Promise<WrittenText | undefined> {
  const texts = await findTexts(db, key)
  return texts.find((text) => text.language === key.language && satisfies(text, key, head))
}

/** How long a running job may go without progress. */
function maxRunningIdleMs({ config }: Context): number {
  return Math.max(MIN_IDLE_MS, (config.model?.secondsPerCall ?? 0) * 4000)
}

/** The time limit of a job, which leaves room for every model call it may make. */
function maxJobSeconds({ config: { model } }: Context): number {
  const callSeconds = model ? model.names.length * model.callsPerArticle * model.secondsPerCall : 0
  return Math.min(MIN_LIMIT_SECONDS + callSeconds, DAY_SECONDS)
}

function requireNotForcedRecently(ctx: Context, { forced_at }: WrittenText): void {
  if (!forced_at || !isRecent(forced_at, ctx.now(), HOUR_MS)) return
  const next = forced_at.getTime() + HOUR_MS - ctx.now().getTime()
  throw new Problem('RATE_LIMITED', 'This article was already regenerated within the last hour.', {
    retryAfter: Math.max(1, Math.ceil(next / 1000)),
  })
}

/** Rolls back the start of a job whose text another job has just stored. */
class WrittenMeanwhile extends Error {}

/** Returns undefined if another request has just started the same job, or the text has just been stored. */
async function startJob(
  ctx: Context,
  viewer: Viewer,
  head: CurrentHead,
  key: TextKey,
  forced: boolean,
): Promise<string | undefined> {
  requireMayBeSent(ctx, key, head)
  const hasOlderVersion = !forced && (await findOlderVersion(ctx.db, key, head)) !== undefined
  const asksModel = key.kind === 'model' && !hasOlderVersion
  if (asksModel) await requireModelAvailable(ctx)
  const now = ctx.now()
  const id = randomUUIDv7()
  const started = await ctx.db
    .transaction()
    .execute(async (trx) => {
      const inserted = await insertJob(trx, {
        id,
        ...key,
        forced,
        session_id: viewer.id,
        status: 'queued',
        stage: 'queued',
        progress: 0,
        attempt: 0,
        error_code: null,
        error_message: null,
        retry_at: null,
        article_id: null,
        created_at: now,
        updated_at: now,
      })
      if (!inserted) return false
      const written = await textFor(trx, key, head)
      if (written && !forced) throw new WrittenMeanwhile()
      if (written) requireNotForcedRecently(ctx, written)
      if (asksModel) await passBreaker(trx, ctx, id)
      const { quotaPerDay } = ctx.config.articles
      const isWithinQuota = hasOlderVersion || (await takeArticle(trx, viewer.user.id, dayOf(now), quotaPerDay))
      if (!isWithinQuota) throw quotaExceeded(quotaPerDay, now)
      await ctx.jobs.queue.send(
        trx,
        { jobId: id, traceparent: ctx.telemetry.tracing?.traceparent() },
        maxJobSeconds(ctx),
      )
      return true
    })
    .catch((error) => {
      if (error instanceof WrittenMeanwhile) return false
      throw error
    })
  if (!started) return undefined
  ctx.jobs.queue.wake()
  return id
}

async function requireModelAvailable(ctx: Context): Promise<void> {
  await requireModelUp(ctx)
  const limit = ctx.config.model?.tokensPerDay
  if (limit !== undefined && (await tokensOf(ctx.db, dayOf(ctx.now()))) >= limit) throw tokensSpent(limit, ctx.now())
}

function quotaExceeded(limit: number, now: Date): Problem {
  return new Problem('QUOTA_EXCEEDED', `Daily quota of ${limit} articles per user reached.`, {
    details: { limit },
    retryAfter: untilTomorrow(now),
  })
}

type Ended = Pick<ArticleJobRow, 'error_message' | 'error_reason' | 'retry_at'>

function problemOf(ctx: Context, code: Problem['code'], { error_message, error_reason, retry_at }: Ended): Problem {
  const seconds = retry_at && Math.ceil((retry_at.getTime() - ctx.now().getTime()) / 1000)
  return new Problem(code, error_message ?? '', {
    ...(error_reason && { details: { reason: error_reason } }),
    ...(seconds !== null && { retryAfter: Math.max(1, seconds) }),
  })
}
