import { randomUUIDv7 } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { crossOriginHeaders } from './crossOrigin.ts'
import { unavailable } from './problems.ts'
import { DATA_HEADERS } from './securityHeaders.ts'
import { errorBody } from './sendErrors.ts'

const SAMPLE_MS = 250
/** Sampling takes most of the CPU time of an idle process, so it pauses after this many samples without a request. */
const IDLE_SAMPLES = 20
const SLOW_SAMPLES = 3
/** Compared with the median delay of the event loop: a single long turn is not overload. */
const MAX_DELAY_MS = 150
const MEDIAN = 50
const NANOSECONDS_PER_MS = 1e6
/** Queries that wait, per database connection. Beyond this, a request would wait for a quarter of a second. */
const MAX_QUEUED = 50
/** The same for a queue that persists: a burst is worth waiting for, a standing queue is not. */
const MAX_QUEUED_STANDING = 10
const STANDING_SAMPLES = 12
/** Concurrent requests while the event loop lags: so few do not pile up, and may not be the cause of the lag. */
const MAX_WHILE_SLOW = 20
const HEALTH_PROBE = /^\/(healthz|readyz)(\?|$)/

/**
 * Under overload, answers 503 before any other work: a rejection that costs as much as a response would not help. Health
 * probes are always answered.
 */
export function shedLoad(app: FastifyInstance, ctx: Context): void {
  const pressure = watchPressure(ctx)
  let refused = 0
  let idleSamples = 0
  let sampling: NodeJS.Timeout | undefined
  function keepSampling(): void {
    idleSamples = 0
    if (sampling) return
    pressure.start()
    sampling = setInterval(sample, SAMPLE_MS).unref()
  }
  function stopSampling(): void {
    clearInterval(sampling)
    sampling = undefined
    pressure.stop()
  }
  function sample(): void {
    pressure.sample()
    if (refused > 0) ctx.log.warn({ refused }, 'Overloaded: shedding requests.')
    if (refused > 0) ctx.telemetry.metrics?.requestsRefused(refused)
    refused = 0
    idleSamples += 1
    if (idleSamples > IDLE_SAMPLES && pressure.isCalm()) stopSampling()
  }
  app.addHook('onClose', async () => stopSampling())
  const [handle] = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isExempt(request)) return handle?.(request, response as never)
    keepSampling()
    if (pressure.admits(response)) return handle?.(request, response as never)
    refused += 1
    refuse(response, {
      ...crossOriginHeaders(request, ctx.config.corsOrigins),
      ...(ctx.jobs.watch.closing && { Connection: 'close' }),
    })
  })
}

/** Preflights cost next to nothing, and without one the page could not see the 503. */
function isExempt({ method, url = '' }: IncomingMessage): boolean {
  return HEALTH_PROBE.test(url) || method === 'OPTIONS'
}

const REFUSAL = unavailable()
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(errorBody(REFUSAL, randomUUIDv7())).split(/[\da-f-]{36}/)
const HEADERS = {
  ...DATA_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(BEFORE_ID + AFTER_ID) + 36,
  'Cache-Control': 'no-store',
  'Retry-After': REFUSAL.retryAfter ?? 1,
}

/** The response is prepared except for the id, because many are sent when CPU time is scarce. */
function refuse(response: ServerResponse, headers: Record<string, string>): void {
  const requestId = randomUUIDv7()
  response.writeHead(503, { ...HEADERS, ...headers, 'X-Request-Id': requestId })
  response.end(BEFORE_ID + requestId + AFTER_ID)
}

function watchPressure(ctx: Context) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
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
      // Event streams stay open for long, but cost little.
      for (const response of admittedWhileSlow) if (response.headersSent) admittedWhileSlow.delete(response)
      queuedSamples = isQueueOver(MAX_QUEUED_STANDING / 2) ? queuedSamples + 1 : 0
      // The first turn after a reset is not measured, and may take as long as a sample.
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
