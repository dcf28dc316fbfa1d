import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

interface Options {
  /** A request that takes longer waits for something else, such as a job. */
  maxBusyMs?: number
  maxWaitMs?: number
}

/** Lets requests be served before work that can wait. */
export interface Precedence {
  /** A request has come in. Returns what to call at its end. */
  enter(): () => void
  /** Waits for the requests that are being served now; not for later ones, and not for long. */
  giveWay(): Promise<void>
}

export function createPrecedence({ maxBusyMs = 20, maxWaitMs = 5 }: Options = {}): Precedence {
  const served = new Set<{ since: number; end: Promise<void> }>()
  return {
    enter() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const request = { since: performance.now(), end: promise }
      served.add(request)
      return () => {
        served.delete(request)
        resolve()
      }
    },
    async giveWay() {
      // Requests that have just arrived come in first.
      await nextTurn()
      const now = performance.now()
      const others = [...served].filter(({ since }) => now - since < maxBusyMs)
      if (others.length === 0) return
      await Promise.race([Promise.all(others.map(({ end }) => end)), sleep(maxWaitMs, undefined, { ref: false })])
    },
  }
}
