import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { Problem } from '../errors.ts'

const MAX_REST_MS = 200

interface Options {
  atOnce: number
  maxWaiting: number
  /** How long a place rests after its work, in proportion to the time that the work took. */
  rest?: number
}

/** Limits how much work of a kind a node does at once, so that it does not delay the rest. */
export interface Turns {
  /** Waits for a place, then works. */
  take<T>(work: () => Promise<T>): Promise<T>
}

export function createTurns({ atOnce, maxWaiting, rest = 0 }: Options): Turns {
  const places = pLimit(atOnce)
  return {
    async take(work) {
      if (places.pendingCount >= maxWaiting)
        throw new Problem('SERVICE_UNAVAILABLE', 'Too many requests of this kind are waiting. Try again shortly.', {
          retryAfter: 2,
        })
      return new Promise((resolve, reject) => {
        void places(async () => {
          const started = performance.now()
          await work().then(resolve, reject)
          if (rest > 0) await sleep(Math.min((performance.now() - started) * rest, MAX_REST_MS))
        })
      })
    },
  }
}
