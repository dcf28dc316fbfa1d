import type { Kysely, Transaction } from 'kysely'
import { countChanges, lockWindows, reviewRanked, slideWindows, type Windows } from '../db/likes/likeCounts.ts'
import type { Schema } from '../db/schema/schema.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'

const COUNT_TIMEOUT_MS = 100
const SLOW_COUNT_TIMEOUT_MS = 1000
const SOON_MS = 100
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Keeps the counts behind the ranking up with the likes. Any node may, one at a time does. */
export interface Counting {
  /** Something is uncounted. It is not counted at once: what comes together is counted together. */
  soon(): void
  /**
   * Counts now: what this node knows of, and in any case where the counts were seen to be `behind`. Undefined where
   * there is nothing to wait for. Never fails, and nobody need wait for long: the counts stand as they were.
   */
  catchUp(behind: boolean): Promise<void> | undefined
  stop(): Promise<void>
}

export function startCounting(db: Kysely<Schema>, now: () => Date, onError: (error: unknown) => void): Counting {
  let isUncounted = true
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function run(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (isStopped) return
    isUncounted = false
    await countAll(db, now, () => isStopped).catch((error) => {
      isUncounted = true
      onError(error)
    })
  }
  /** One run at a time, and one that waits for it, for all who ask meanwhile. */
  function runNext(): Promise<void> {
    next ??= Promise.resolve(running).then(() => {
      next = undefined
      running = run().finally(() => {
        running = undefined
      })
      return running
    })
    return next
  }
  function soon(): void {
    isUncounted = true
    timer ??= setTimeout(runNext, SOON_MS)
  }

  const everyMinute = setInterval(soon, MINUTE)
  soon()
  return {
    soon,
    catchUp(behind) {
      const work = behind || isUncounted ? runNext() : running
      return work && waitAtMost(behind ? SLOW_COUNT_TIMEOUT_MS : COUNT_TIMEOUT_MS, [work])
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      clearInterval(everyMinute)
      await (next ?? running)
    },
  }
}

/** In steps that are each done or not done as a whole. What one step cannot do keeps no other from being done. */
async function countAll(db: Kysely<Schema>, now: () => Date, isStopped: () => boolean): Promise<void> {
  const again = async (step: (trx: Transaction<Schema>, state: State) => Promise<boolean>) => {
    while (!isStopped() && (await db.transaction().execute(async (trx) => step(trx, await lockWindows(trx)))));
  }
  let last: State | undefined
  await again((trx, state) => {
    last = state
    return countChanges(trx)
  })
  const wanted = windowsAt(now())
  if (last && isBehind(last, wanted)) await again((trx, windows) => slideWindows(trx, windows, wanted))
  if (last?.has_reviews) await again(reviewRanked)
}

type State = Awaited<ReturnType<typeof lockWindows>>

export function isBehind(windows: Windows, wanted: Windows): boolean {
  return (['monthly_from', 'weekly_from', 'daily_from'] as const).some((edge) => windows[edge] < wanted[edge])
}

/** The periods end now and begin on the minute. */
export function windowsAt(now: Date): Windows {
  const minute = Math.floor(now.getTime() / MINUTE) * MINUTE
  const before = (days: number) => new Date(minute - days * DAY)
  return { monthly_from: before(30), weekly_from: before(7), daily_from: before(1) }
}
