import type { Kysely, Transaction } from 'kysely'
import { countChanges, lockWindows, reviewRanked, slideWindows } from '../../db/likes/likeCounts.ts'
import { isBehind, windowsAt } from '../../db/likes/windows.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { MINUTE_MS } from '../../lib/times.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'

const COUNT_TIMEOUT_MS = 100
const SLOW_COUNT_TIMEOUT_MS = 1000
const BATCH_DELAY_MS = 100

/** Keeps the like counts of the ranking up to date. Every node may count, but only one at a time does. */
export interface Counting {
  /** Schedules a count after a short delay, so that likes that come together are counted together. */
  soon(): void
  /**
   * Counts now if this node knows of uncounted likes, or if a query found the counts `behind`; undefined if there is
   * nothing to wait for. Never fails, and waits 100 ms at most (1 s if behind): after that, readers use the old counts.
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
  /** Counts after the current run has ended. At most one run is pending; all callers share it. */
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
    timer ??= setTimeout(runNext, BATCH_DELAY_MS)
  }

  const everyMinute = setInterval(soon, MINUTE_MS)
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

/** Runs the steps in order. Each is repeated, in a transaction of its own, until it has nothing left to do. */
async function countAll(db: Kysely<Schema>, now: () => Date, isStopped: () => boolean): Promise<void> {
  const repeat = async (step: (trx: Transaction<Schema>, state: State) => Promise<boolean>) => {
    while (!isStopped() && (await db.transaction().execute(async (trx) => step(trx, await lockWindows(trx)))));
  }
  let last: State | undefined
  await repeat((trx, state) => {
    last = state
    return countChanges(trx)
  })
  const wanted = windowsAt(now())
  if (last && isBehind(last, wanted)) await repeat((trx, windows) => slideWindows(trx, windows, wanted))
  if (last?.has_reviews) await repeat(reviewRanked)
}

type State = Awaited<ReturnType<typeof lockWindows>>
