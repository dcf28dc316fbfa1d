import type { Context } from '../context.ts'
import { claimTrial, findOpenUntil, recordFailure, recordSuccess } from '../db/breakers.ts'
import type { ModelUnavailable } from '../model/errors.ts'
import { modelUnavailable } from './failures.ts'

const NAME = 'model'
const FAILURES_TO_OPEN = 3
const REST_MILLISECONDS = 30_000
/** What one try may take beyond the model's own time. */
const TRIAL_MILLISECONDS = 15_000

type Parts = Pick<Context, 'db' | 'now' | 'config'>

/** Fails at once while the model is known to be down; after a rest, lets one try for all nodes. */
export async function requireModelUp({ db, now }: Parts): Promise<void> {
  const time = now()
  const until = await findOpenUntil(db, NAME, time)
  if (until) throw modelUnavailable(Math.max(1, Math.ceil((until.getTime() - time.getTime()) / 1000)))
}

/** Called once by the one that starts: true where others wait for what comes of it. */
export async function tryForAll({ db, now, config }: Parts): Promise<boolean> {
  const trial = TRIAL_MILLISECONDS + (config.model?.secondsPerCall ?? 0) * 1000
  return claimTrial(db, NAME, now(), later(now(), trial))
}

export async function modelFailed({ db, now }: Parts, { retryAfter }: ModelUnavailable): Promise<void> {
  const toldUntil = retryAfter === undefined ? null : later(now(), retryAfter * 1000)
  await recordFailure(db, NAME, { most: FAILURES_TO_OPEN, restUntil: later(now(), REST_MILLISECONDS), toldUntil })
}

export async function modelAnswered({ db }: Parts): Promise<void> {
  await recordSuccess(db, NAME)
}

function later(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds)
}
