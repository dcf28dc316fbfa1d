import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import {
  claimTrial,
  endTrial,
  findBreaker,
  MODEL_BREAKER,
  recordError,
  recordSuccess,
} from '../../db/articles/breakers.ts'
import type { Schema } from '../../db/schema/schema.ts'
import type { ModelUnavailable } from '../../model/errors.ts'
import { modelUnavailable } from '../../writer/errors.ts'

const FAILURES_TO_OPEN = 3
const OPEN_MS = 30_000
/** The longest time until the next trial, even if the model's server asks for more. */
const MAX_OPEN_MS = 5 * 60_000
/** A trial may take this much longer than the time limit of one model call. */
const TRIAL_MS = 15_000
const TRIAL_RETRY_SECONDS = 5

type Parts = Pick<Context, 'db' | 'now' | 'config'>

/** Fails at once while the breaker is open. When half-open, it lets through one trial job across all nodes. */
export async function requireModelUp({ db, now }: Parts, jobId?: string): Promise<void> {
  const breaker = await findBreaker(db, MODEL_BREAKER)
  const secondsLeft = secondsUntil(breaker?.open_until, now())
  if (secondsLeft <= 0 || (jobId !== undefined && breaker?.trial === jobId)) return
  throw modelUnavailable(breaker?.trial ? Math.min(secondsLeft, TRIAL_RETRY_SECONDS) : secondsLeft)
}

/**
 * Claims the trial of a half-open breaker in the transaction that starts the job, so that only one of many jobs starts.
 */
export async function passBreaker(trx: Kysely<Schema>, { now, config }: Parts, jobId: string): Promise<void> {
  if (!(await findBreaker(trx, MODEL_BREAKER))) return
  const milliseconds = TRIAL_MS + (config.model?.secondsPerCall ?? 0) * 1000
  const trial = { name: MODEL_BREAKER, trial: jobId, until: new Date(now().getTime() + milliseconds) }
  const isAllowed = (await claimTrial(trx, trial, now())) || !(await findBreaker(trx, MODEL_BREAKER))
  if (!isAllowed) throw modelUnavailable(TRIAL_RETRY_SECONDS)
}

export async function modelFailed({ db, now }: Parts, { retryAfter }: ModelUnavailable): Promise<void> {
  const later = (milliseconds: number) => new Date(now().getTime() + milliseconds)
  const retryAt = retryAfter === undefined ? null : later(Math.min(retryAfter * 1000, MAX_OPEN_MS))
  await recordError(db, MODEL_BREAKER, { failuresToOpen: FAILURES_TO_OPEN, openUntil: later(OPEN_MS), retryAt })
}

/** Releases the trial if the job ended without learning whether the model is up. */
export async function leaveTrial({ db, now }: Parts, jobId: string): Promise<void> {
  await endTrial(db, jobId, now())
}

/** Any response closes the breaker, even one that turns out to be unusable. */
export async function modelAnswered({ db }: Parts): Promise<void> {
  await recordSuccess(db, MODEL_BREAKER)
}

function secondsUntil(time: Date | null | undefined, now: Date): number {
  return time ? Math.ceil((time.getTime() - now.getTime()) / 1000) : 0
}
