import type { ServerResponse } from 'node:http'
import type { Context } from '../../context.ts'

const SLOW_SAMPLES = 3
/** Limit of the median delay of the event loop. The median is used because a single long turn is not overload. */
const MAX_DELAY_MS = 150
const MEDIAN = 50
const NANOSECONDS_PER_MS = 1e6
/** Limit of waiting queries per database connection. Beyond it, a request would wait for a quarter of a second. */
const MAX_QUEUED = 50
/** The same limit for a queue that persists: a short burst is worth waiting for, a standing queue is not. */
const MAX_QUEUED_STANDING = 10
const STANDING_SAMPLES = 12
/**
 * Limit of concurrent requests while the event loop lags. So few cannot pile up, and something else may cause the lag.
 */
const MAX_WHILE_SLOW = 20

/** Measures the lag of the event loop and the queue for database connections, and decides whether to admit a request. */
export function watchPressure(ctx: Context) {
  const { loopDelay: delay } = ctx
  let slowSamples = 0
  let queuedSamples = 0
  const admittedWhileSlow = new Set<ServerResponse>()
  const isQueueOver = (perConnection: number) => {
    const { most, awaited } = ctx.connections()
    // The embedded database has only one connection: waiting for it is normal.
    return most > 1 && awaited > most * perConnection
  }
  return {
    sample(): void {
      // Responses that have started do not count: event streams stay open for long, but cost little.
      for (const response of admittedWhileSlow) if (response.headersSent) admittedWhileSlow.delete(response)
      queuedSamples = isQueueOver(MAX_QUEUED_STANDING / 2) ? queuedSamples + 1 : 0
      // The first turn after a reset is not measured. If it takes as long as a sample, there is no value yet.
      if (delay.count === 0) return
      const isSlow = delay.percentile(MEDIAN) / NANOSECONDS_PER_MS > MAX_DELAY_MS
      slowSamples = isSlow ? slowSamples + 1 : 0
      delay.reset()
    },
    admits(response: ServerResponse): boolean {
      if (isQueueOver(queuedSamples >= STANDING_SAMPLES ? MAX_QUEUED_STANDING : MAX_QUEUED)) return false
      if (slowSamples < SLOW_SAMPLES) return true
      if (admittedWhileSlow.size >= MAX_WHILE_SLOW) return false
      admittedWhileSlow.add(response)
      response.once('close', () => admittedWhileSlow.delete(response))
      return true
    },
    isCalm: () => slowSamples + queuedSamples === 0,
    start: () => void delay.enable(),
    stop: () => void delay.disable(),
  }
}
