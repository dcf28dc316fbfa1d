import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireLive } from '../accounts/liveSession.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { abandonJob } from '../db/articles/abandonedJobs.ts'
import { findLiveJob, insertJob, type TextKey } from '../db/articles/articleJobs.ts'
import { findFormerText, findTexts } from '../db/articles/articles.ts'
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

export interface Wish {
  name: Name
  number: number
  language: string
  force: boolean
  waitMilliseconds: number
}

type Outcome = { article: JsonText<PullRequestArticle> } | { job: ArticleJob }

const HOUR = 60 * 60_000
const SILENT_MS = 10 * 60_000
const TRIES = 3
/** For all but asking: fetching, reading, waiting for another's text. */
const MIN_LIMIT_SECONDS = 10 * 60
const DAY_SECONDS = 24 * 60 * 60

/** The article in a language: as it is there, or written; or the job, where that takes longer than is waited for. */
export async function generate(ctx: Context, viewer: Viewer, wish: Wish): Promise<Outcome> {
  languageName(wish.language)
  const head = await currentHead(ctx, viewer, wish.name, wish.number)
  const key = keyOf(ctx, head, wish)
  const read = () => readAwaited(ctx, viewer, head.host_repo_id, wish.number)
  const jobId = await jobFor(ctx, viewer, head, key, wish.force)
  ctx.metrics?.lookedUp('article', jobId === 'there')
  if (jobId === 'there') return { article: await read() }
  const wait = { milliseconds: wish.waitMilliseconds, sessionId: viewer.id }
  const ended = wait.milliseconds > 0 ? await ctx.jobs.ended(jobId, wait) : undefined
  await requireLive(ctx, viewer)
  if (ended?.status === 'succeeded') return { article: await read() }
  if (ended?.error_code) throw problemOf(ctx, ended.error_code, ended)
  return { job: await readJob(ctx, viewer, jobId) }
}

/** The language a text is written in for somebody who wants this one: without a model there are two. */
export function languageWritten({ askModel }: Context, wanted: string): string {
  return askModel || wanted === 'ja' ? wanted : 'en'
}

/** One text for each of these, whoever asks. */
function keyOf(ctx: Context, head: CurrentHead, { number, language }: Wish): TextKey {
  const at = { host_repo_id: head.host_repo_id, number, head_sha: head.head_sha }
  const written = { ...at, language: languageWritten(ctx, language) }
  if (ctx.askModel) return { ...written, kind: 'model', prompt_version: PROMPT_VERSION }
  return { ...written, kind: 'outline', prompt_version: OUTLINE_VERSION }
}

/** The job that writes the text, or that it is there already. */
async function jobFor(
  ctx: Context,
  viewer: Viewer,
  head: CurrentHead,
  key: TextKey,
  force: boolean,
): Promise<string | 'there'> {
  for (let attempt = 1; ; attempt++) {
    // First who writes, then what is written: a job that ends in between has left its text.
    const live = await findLiveJob(ctx.db, key)
    const text = await textFor(ctx.db, key, head)
    if (text && !force) return 'there'
    const silent = live?.status === 'queued' ? HOUR : silence(ctx)
    if (live && isRecent(live.updated_at, ctx.now(), silent)) return live.id
    if (live) await abandonJob(ctx.db, live.id, silent, ctx.now())
    if (text) requireNotForcedLately(ctx, text)
    const started = await startJob(ctx, viewer, head, key, force)
    if (started) return started
    if (attempt === TRIES)
      throw new Problem('SERVICE_UNAVAILABLE', 'Too many ask at once. Try again.', { retryAfter: 1 })
  }
}

async function textFor(db: Kysely<Schema>, key: TextKey, head: CurrentHead): Promise<WrittenText | undefined> {
  const texts = await findTexts(db, key)
  return texts.find((text) => text.language === key.language && satisfies(text, key, head))
}

/** How long a job that is being written may say nothing. */
function silence({ config }: Context): number {
  return Math.max(SILENT_MS, (config.model?.secondsPerCall ?? 0) * 4000)
}

/** How long the writing may take from its beginning: a model that is slow is given its time. */
function longestSeconds({ config: { model } }: Context): number {
  const asking = model ? model.names.length * model.callsPerArticle * model.secondsPerCall : 0
  return Math.min(MIN_LIMIT_SECONDS + asking, DAY_SECONDS)
}

function requireNotForcedLately(ctx: Context, { forced_at }: WrittenText): void {
  if (!forced_at || !isRecent(forced_at, ctx.now(), HOUR)) return
  const next = forced_at.getTime() + HOUR - ctx.now().getTime()
  throw new Problem('RATE_LIMITED', 'This text was written anew less than an hour ago.', {
    retryAfter: Math.max(1, Math.ceil(next / 1000)),
  })
}

/** Undoes the starting of a job whose text has just come. */
class WrittenMeanwhile extends Error {}

/** Undefined where another has just started it, or is just done with it. */
async function startJob(
  ctx: Context,
  viewer: Viewer,
  head: CurrentHead,
  key: TextKey,
  forced: boolean,
): Promise<string | undefined> {
  requireMayBeSent(ctx, key, head)
  const isKept = !forced && (await findFormerText(ctx.db, key, head)) !== undefined
  const asksModel = key.kind === 'model' && !isKept
  if (asksModel) await requireModelMayBeAsked(ctx)
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
      if (written) requireNotForcedLately(ctx, written)
      if (asksModel) await passBreaker(trx, ctx, id)
      const { quotaPerDay } = ctx.config.articles
      const mayHave = isKept || (await takeArticle(trx, viewer.user.id, dayOf(now), quotaPerDay))
      if (!mayHave) throw quotaSpent(quotaPerDay, now)
      await ctx.queue.send(trx, { jobId: id, traceparent: ctx.tracing?.traceparent() }, longestSeconds(ctx))
      return true
    })
    .catch((error) => {
      if (error instanceof WrittenMeanwhile) return false
      throw error
    })
  if (!started) return undefined
  ctx.queue.wake()
  return id
}

async function requireModelMayBeAsked(ctx: Context): Promise<void> {
  await requireModelUp(ctx)
  const limit = ctx.config.model?.tokensPerDay
  if (limit !== undefined && (await tokensOf(ctx.db, dayOf(ctx.now()))) >= limit) throw tokensSpent(limit, ctx.now())
}

function quotaSpent(limit: number, now: Date): Problem {
  return new Problem('QUOTA_EXCEEDED', `The ${limit} articles a user may have written in a day are spent.`, {
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
