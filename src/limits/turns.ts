import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { Problem } from '../errors.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'

const MAX_REST_MS = 200
const LONGEST_TIMER_MS = 2 ** 31 - 1

interface Options {
  atOnce: number
  maxWaiting: number
  /** How long a place rests after its work, in proportion to the time that the work took. */
  rest?: number
  /** Longer work gives up its place, which does not rest: most of the time it waits, for example for the code host. */
  maxBusyMs?: number
  /** Work that waited this long for a place is refused. */
  maxWaitMs?: number
}

/** Limits how much work of a kind a node does at once, so that it does not delay the rest. */
export interface Turns {
  /** Waits for a place, then works. */
  take<T>(work: () => Promise<T>): Promise<T>
}

export function createTurns(options: Options): Turns {
  const { atOnce, maxWaiting, rest = 0, maxBusyMs = LONGEST_TIMER_MS, maxWaitMs = LONGEST_TIMER_MS } = options
  const places = pLimit(atOnce)
  return {
    async take(work) {
      if (places.pendingCount >= maxWaiting) throw tooManyWait()
      return new Promise((resolve, reject) => {
        let isRefused = false
        const timer = setTimeout(() => {
          isRefused = true
          reject(tooManyWait())
        }, maxWaitMs)
        void places(async () => {
          clearTimeout(timer)
          if (isRefused) return
          const started = performance.now()
          let hasEnded = false
          const working = work()
            .then(resolve, reject)
            .finally(() => {
              hasEnded = true
            })
          await waitAtMost(maxBusyMs, [working])
          const busyMs = performance.now() - started
          if (rest > 0 && hasEnded) await sleep(Math.min(busyMs * rest, MAX_REST_MS))
        })
      })
    },
  }
}

export function tooManyWait(): Problem {
  const message = 'Too many requests of this kind are waiting. Try again shortly.'
  return new Problem('SERVICE_UNAVAILABLE', message, { retryAfter: 2 })
}
