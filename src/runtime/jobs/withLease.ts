import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Context } from '../../context.ts'
import { isLeased, renewLease, returnLease, takeOrTakeOver } from '../../db/jobs/leases.ts'
import { HostUnavailable } from '../../host/errors.ts'
import { perContext } from '../../lib/perContext.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'

interface Leased<T> {
  name: string
  /** The deadline for waiting, by `performance.now()`. */
  until: number
  /** Requests of this node with the same key share an attempt, provided that it began after they arrived. */
  sharedAs: string
  isDone: () => Promise<boolean>
  /** `isExclusive` returns false if another node may have begun the work and not finished it. */
  work: (isExclusive: () => Promise<boolean>) => Promise<T>
}

/** An attempt of this node. Its outcome is undefined if another node did the work. */
interface Attempt {
  startedAt: number
  outcome: Promise<{ result: unknown } | undefined>
}

/** A lease expires after this time unless its holder renews it, so a dead holder blocks others no longer than that. */
const LEASE_MS = 6000
const RENEW_MS = 2000
const MAX_PAUSE_MS = 400

/** Attempts that are under way, by their shared keys. */
const attemptsOf = perContext(() => new Map<string, Attempt>())

/**
 * Does work that many requests want at the same time, but only once for all nodes. The other requests wait; if the work
 * fails, the next one tries. Returns undefined if another request did the work. No lock or database connection is held
 * during the work.
 */
export async function withLease<T>(ctx: Context, leased: Leased<T>): Promise<T | undefined> {
  const attempts = attemptsOf(ctx)
  const askedAt = performance.now()
  while (!(await leased.isDone())) {
    const others = attempts.get(leased.sharedAs)
    if (others) {
      const done = await waitFor(others.outcome, leased.until)
      if (done && others.startedAt >= askedAt) return undefined
      continue
    }
    const outcome = workOrWait(ctx, leased).finally(() => attempts.delete(leased.sharedAs))
    attempts.set(leased.sharedAs, { startedAt: performance.now(), outcome })
    const done = await outcome
    if (done) return done.result
  }
  return undefined
}

/**
 * Waits for the attempt of another request, and returns whether the work was done. Server errors of the code host fail
 * all waiting requests. Other errors may be due to the access token of that request, so the next request tries again.
 */
async function waitFor(outcome: Attempt['outcome'], until: number): Promise<boolean> {
  const isTokenError = (error: unknown) => !(error instanceof HostUnavailable) || (error.status ?? 500) < 500
  const isDone = outcome.then(
    (done) => done !== undefined,
    (error) => {
      if (isTokenError(error)) return false
      throw error
    },
  )
  await waitAtMost(until - performance.now(), [isDone])
  if (performance.now() >= until) throw timeoutError()
  return isDone
}

function timeoutError(): HostUnavailable {
  return new HostUnavailable('The code host did not answer a shared call in time.')
}

async function workOrWait<T>({ db, now }: Context, { name, until, isDone, work }: Leased<T>) {
  const lease = { name, holder: randomUUIDv7(), durationMs: LEASE_MS }
  const taken = await takeOrTakeOver(db, lease, now())
  if (taken) {
    const renew = () => renewLease(db, lease, now())
    const renewing = setInterval(() => renew().catch(() => {}), RENEW_MS)
    const isExclusive = async () => !taken.isTakenOver && (await renew())
    try {
      return { result: (await isDone()) ? undefined : await work(isExclusive) }
    } finally {
      clearInterval(renewing)
      await returnLease(db, lease)
    }
  }
  const isHeld = () => isLeased(db, lease, now())
  for (let pause = 25; await isHeld(); pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    if (performance.now() > until) throw timeoutError()
    await sleep(pause)
  }
  return undefined
}
