import { randomUUIDv7 } from 'node:crypto'
import pLimit from 'p-limit'
import type { Context } from '../../context.ts'
import { takeLease } from '../../db/jobs/leases.ts'
import { LISTED_MINUTES } from '../../db/search/listedTexts.ts'
import { findLastVerifiedBefore } from '../../db/search/places.ts'
import { perContext } from '../../lib/perContext.ts'
import { MINUTE_MS } from '../../lib/times.ts'
import { checkAllPublic, checkPublic } from './publicVisibility.ts'

/** A repository is verified again after 20 hours, because lists leave it out after 24. */
const DUE_MINUTES = 20 * 60
const PASS_INTERVAL_MS = 10 * MINUTE_MS
/**
 * At most this many repositories are verified in one interval: 3,000 an hour, which leaves a part of the code host's
 * rate limit for readers.
 */
const MAX_PER_PASS = 500
/**
 * At most this many repositories that are forbidden to the service's token are checked in one interval: they use half
 * of the 60 anonymous checks an hour.
 */
const MAX_FORBIDDEN_PER_PASS = 5
const MAX_AT_ONCE = 5
const MAX_LEFT_OUT = 20

const leftOutState = perContext(() => ({ verifiedAt: 0 }))

/** Verifies every repository with public articles once a day, on one node for all. Returns a function that stops it. */
export function startVerifying(ctx: Context): () => void {
  const timer = setInterval(() => {
    verifyDue(ctx).catch((error) =>
      ctx.log.warn({ err: error }, 'Could not check whether the repositories with articles are still public.'),
    )
  }, MINUTE_MS)
  return () => clearInterval(timer)
}

/**
 * Verifies the repositories that are due. Does nothing without CODE_HOST_TOKEN, because the rate limit is too low: then
 * only `verifyLeftOut` verifies.
 */
export async function verifyDue(ctx: Context): Promise<void> {
  if (!ctx.config.codeHost.token) return
  const now = ctx.now()
  const lease = { name: 'verifying', holder: randomUUIDv7(), durationMs: PASS_INTERVAL_MS }
  if (!(await takeLease(ctx.db, lease, now))) return
  const limit = pLimit(MAX_AT_ONCE)
  const minutes = DUE_MINUTES
  const due = await findLastVerifiedBefore(ctx.db, now, { minutes, max: MAX_PER_PASS, areForbidden: false })
  const anonymous = await findLastVerifiedBefore(ctx.db, now, {
    ...{ minutes, max: MAX_FORBIDDEN_PER_PASS, areForbidden: true },
  })
  await Promise.all([...due, ...anonymous].map((hostRepoId) => limit(() => checkPublic(ctx, hostRepoId))))
}

/**
 * Verifies in the background some of the repositories that lists leave out because their last check is too old. Does so
 * at most once a minute.
 */
export async function verifyLeftOut(ctx: Context): Promise<void> {
  const state = leftOutState(ctx)
  const now = ctx.now().getTime()
  if (now - state.verifiedAt < MINUTE_MS) return
  state.verifiedAt = now
  const leftOut = { minutes: LISTED_MINUTES, max: MAX_LEFT_OUT, areForbidden: false }
  checkAllPublic(ctx, await findLastVerifiedBefore(ctx.db, ctx.now(), leftOut))
}
