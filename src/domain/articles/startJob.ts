import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { insertJob, type JobKey, queuedJob } from '../../db/articles/articleJobs.ts'
import { findOlderVersion, findTexts } from '../../db/articles/articles.ts'
import { takeArticle, tokensOf } from '../../db/articles/quotas.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { Problem } from '../../errors.ts'
import { isRecent } from '../../lib/clock.ts'
import { dayOf, secondsUntilTomorrow } from '../../lib/day.ts'
import { logFields } from '../../lib/logFields.ts'
import { HOUR_MS } from '../../lib/times.ts'
import { longestCallSeconds, tokensSpent } from '../../writer/modelBudget.ts'
import type { Viewer } from '../accounts/session.ts'
import { passBreaker, requireModelUp } from './breaker.ts'
import type { CurrentHead } from './currentHead.ts'
import { requireMayBeSent } from './permission.ts'
import { satisfiesKey, type WrittenText } from './satisfiesKey.ts'

/** The time that a job has for everything but model calls: fetching, reading, waiting for another job. */
const MIN_LIMIT_SECONDS = 10 * 60
const DAY_SECONDS = 24 * 60 * 60

/** Rolls back the start of a job whose text another job has just stored. */
class WrittenMeanwhile extends Error {}

/** The party that starts a job: a viewer, or the service itself. */
export interface Starter {
  /** The session whose visible repositories the job may read. Null for the service, which reads only public ones. */
  sessionId: string | null
  userId: string | null
  /** Counts the job against a limit, in the transaction that starts it. Throws if the limit is reached. */
  count(trx: Transaction<Schema>, job: { id: string; hasOlderVersion: boolean }): Promise<void>
}

/**
 * Starts jobs within a viewer's daily quota. A job that reuses an older version costs nothing, so it does not count.
 */
export function viewerStarter(ctx: Context, viewer: Viewer): Starter {
  return {
    sessionId: viewer.id,
    userId: viewer.user.id,
    async count(trx, { hasOlderVersion }) {
      const { quotaPerDay } = ctx.config.articles
      const now = ctx.now()
      if (hasOlderVersion || (await takeArticle(trx, viewer.user.id, dayOf(now), quotaPerDay))) return
      throw quotaExceeded(quotaPerDay, now)
    },
  }
}

/** Returns undefined if another request has just started the same job, or the text has just been stored. */
export async function startJob(
  ctx: Context,
  starter: Starter,
  head: CurrentHead,
  key: JobKey,
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
        ...queuedJob(id, key, now),
        forced,
        session_id: starter.sessionId,
        user_id: starter.userId,
        request_id: logFields().reqId ?? null,
        is_automatic: starter.sessionId === null,
      })
      if (!inserted) return false
      const written = await textFor(trx, key, head)
      if (written && !forced) throw new WrittenMeanwhile()
      if (written) requireNotForcedRecently(ctx, written)
      if (asksModel) await passBreaker(trx, ctx, id)
      await starter.count(trx, { id, hasOlderVersion })
      const job = { jobId: id, traceparent: ctx.telemetry.tracing?.traceparent() }
      const isAutomatic = starter.sessionId === null
      await ctx.jobs.queue.send(trx, job, { maxSeconds: maxJobSeconds(ctx), isAutomatic })
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

/** Throws while the model is down or the day's model tokens are used up. */
export async function requireModelAvailable(ctx: Context): Promise<void> {
  await requireModelUp(ctx)
  const { model } = ctx.config
  if (model && (await tokensOf(ctx.db, dayOf(ctx.now()))) >= model.tokensPerDay)
    throw tokensSpent(model.tokensPerDay, ctx.now())
}

function quotaExceeded(limit: number, now: Date): Problem {
  return new Problem('QUOTA_EXCEEDED', `Daily quota of ${limit} articles per user reached.`, {
    details: { limit },
    retryAfter: secondsUntilTomorrow(now),
  })
}

/** The stored text for a key, if it is current. */
export async function textFor(db: Kysely<Schema>, key: JobKey, head: CurrentHead): Promise<WrittenText | undefined> {
  const texts = await findTexts(db, key)
  return texts.find((text) => text.language === key.language && satisfiesKey(text, key, head))
}

/** The time limit of a job, which leaves room for every model call it may make. */
export function maxJobSeconds({ config: { model } }: Pick<Context, 'config'>): number {
  const callSeconds = model ? model.names.length * model.callsPerArticle * longestCallSeconds(model) : 0
  return Math.min(MIN_LIMIT_SECONDS + callSeconds, DAY_SECONDS)
}

export function requireNotForcedRecently(ctx: Context, { forced_at }: WrittenText): void {
  if (!forced_at || !isRecent(forced_at, ctx.now(), HOUR_MS)) return
  const next = forced_at.getTime() + HOUR_MS - ctx.now().getTime()
  throw new Problem('RATE_LIMITED', 'This article was already regenerated within the last hour.', {
    retryAfter: Math.max(1, Math.ceil(next / 1000)),
  })
}
