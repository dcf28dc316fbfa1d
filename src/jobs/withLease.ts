import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { isLeased, renewLease, returnLease, takeLease } from '../db/jobs/leases.ts'
import type { Schema } from '../db/schema/schema.ts'
import { HostUnavailable } from '../host/errors.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'

interface Leased<T> {
  name: string
  /** Until when to wait for others, by `performance.now()`. */
  until: number
  /** What this node's other requests that ask for the same share: one of them works, once they all have asked. */
  sharedAs: string
  isDone: () => Promise<boolean>
  work: () => Promise<T>
}

/** An attempt of this node: when it began, and whether it did the work. */
interface Attempt {
  startedAt: number
  outcome: Promise<{ result: unknown } | undefined>
}

/** A holder that has gone is not waited for longer than this; one that lives renews its lease in time. */
const LEASE_MS = 6000
const RENEW_MS = 2000
const MAX_PAUSE = 400

export type WithLease = <T>(wanted: Leased<T>) => Promise<T | undefined>

/**
 * Does a piece of work that many want at once, once for all nodes; the others wait until it is done, and the next one
 * tries when it was not. Undefined where somebody else has done it. No lock or connection is held meanwhile.
 */
export function leasing(db: Kysely<Schema>, now: () => Date): WithLease {
  const attempts = new Map<string, Attempt>()
  return async (wanted) => {
    const askedAt = performance.now()
    while (!(await wanted.isDone())) {
      const others = attempts.get(wanted.sharedAs)
      if (others) {
        const done = await waitFor(others.outcome, wanted.until)
        if (done && others.startedAt >= askedAt) return undefined
        continue
      }
      const outcome = workOrWait(db, now, wanted).finally(() => attempts.delete(wanted.sharedAs))
      attempts.set(wanted.sharedAs, { startedAt: performance.now(), outcome })
      const own = await outcome
      if (own) return own.result
    }
    return undefined
  }
}

/** The code host's troubles are everybody's; a token's are its owner's alone, and the next one may do better. */
async function waitFor(outcome: Attempt['outcome'], until: number): Promise<boolean> {
  const isOthersAlone = (error: unknown) => !(error instanceof HostUnavailable) || (error.status ?? 500) < 500
  const heard = outcome.then(
    (done) => done !== undefined,
    (error) => {
      if (isOthersAlone(error)) return false
      throw error
    },
  )
  await waitAtMost(until - performance.now(), [heard])
  if (performance.now() >= until) throw late()
  return heard
}

function after(time: Date): Date {
  return new Date(time.getTime() + LEASE_MS)
}

function late(): HostUnavailable {
  return new HostUnavailable('It did not answer the one who asked for all in time.')
}

async function workOrWait<T>(db: Kysely<Schema>, now: () => Date, { name, until, isDone, work }: Leased<T>) {
  const takenAt = now()
  const lease = { name, holder: randomUUIDv7(), until: after(takenAt) }
  if (await takeLease(db, lease, takenAt)) {
    const renewing = setInterval(() => renewLease(db, { ...lease, until: after(now()) }).catch(() => {}), RENEW_MS)
    try {
      return { result: (await isDone()) ? undefined : await work() }
    } finally {
      clearInterval(renewing)
      await returnLease(db, lease)
    }
  }
  const isHeld = () => isLeased(db, name, now(), after(now()))
  for (let pause = 25; await isHeld(); pause = Math.min(pause * 2, MAX_PAUSE)) {
    if (performance.now() > until) throw late()
    await sleep(pause)
  }
  return undefined
}
