import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import { claimTrial, endTrial, findBreaker, recordError, recordSuccess } from '../db/articles/breakers.ts'
import type { Schema } from '../db/schema/schema.ts'
import type { ModelUnavailable } from '../model/errors.ts'
import { modelUnavailable } from '../writer/errors.ts'

const NAME = 'model'
const FAILURES_TO_OPEN = 3
const REST_MS = 30_000
/** What one try may take beyond the model's own time. */
const TRIAL_MS = 15_000
const TRIAL_RETRY_SECONDS = 5

type Parts = Pick<Context, 'db' | 'now' | 'config'>

/** Fails at once while the model is known to be down. After a rest, one job for all nodes may try. */
export async function requireModelUp({ db, now }: Parts, jobId?: string): Promise<void> {
  const breaker = await findBreaker(db, NAME)
  const rest = secondsUntil(breaker?.open_until, now())
  if (rest <= 0 || (jobId !== undefined && breaker?.trial === jobId)) return
  throw modelUnavailable(breaker?.trial ? Math.min(rest, TRIAL_RETRY_SECONDS) : rest)
}

/** For the one that starts a job, within its transaction: of many that come at once after a rest, one goes on. */
export async function passBreaker(trx: Kysely<Schema>, { now, config }: Parts, jobId: string): Promise<void> {
  if (!(await findBreaker(trx, NAME))) return
  const milliseconds = TRIAL_MS + (config.model?.secondsPerCall ?? 0) * 1000
  const trial = { name: NAME, trial: jobId, until: new Date(now().getTime() + milliseconds) }
  const goesOn = (await claimTrial(trx, trial, now())) || !(await findBreaker(trx, NAME))
  if (!goesOn) throw modelUnavailable(TRIAL_RETRY_SECONDS)
}

export async function modelFailed({ db, now }: Parts, { retryAfter }: ModelUnavailable): Promise<void> {
  const later = (milliseconds: number) => new Date(now().getTime() + milliseconds)
  const toldUntil = retryAfter === undefined ? null : later(retryAfter * 1000)
  await recordError(db, NAME, { most: FAILURES_TO_OPEN, restUntil: later(REST_MS), toldUntil })
}

/** A job that was on trial and has ended without word of the model leaves the trial to the next. */
export async function leaveTrial({ db, now }: Parts, jobId: string): Promise<void> {
  await endTrial(db, jobId, now())
}

/** Any answer will do: what it is worth is another matter. */
export async function modelAnswered({ db }: Parts): Promise<void> {
  await recordSuccess(db, NAME)
}

function secondsUntil(time: Date | null | undefined, now: Date): number {
  return time ? Math.ceil((time.getTime() - now.getTime()) / 1000) : 0
}
