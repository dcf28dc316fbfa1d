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
/** Sampling costs an idle process most of its CPU time, so it pauses when no request has come for so many samples. */
const QUIET_SAMPLES = 20
const SLOW_SAMPLES = 3
/** Of every other turn of the event loop: a single long one is none of this. */
const MAX_DELAY_MS = 150
const MEDIAN = 50
const NANOSECONDS = 1e6
/** For each connection there is. Beyond that, whoever waits would wait for a quarter of a second. */
const MAX_WAITING = 50
/** The same where there is no end to it: what comes in a rush is worth waiting for, a queue that stands is not. */
const MAX_STANDING = 10
const STANDING_SAMPLES = 12
/** At a time, while the event loop lags: so few do not pile up, and the lag may be none of their doing. */
const MAX_MEANWHILE = 20
const ALWAYS = /^\/(healthz|readyz)(\?|$)/

/**
 * Refuses at once what would only wait behind more than can be done, before anything else is done for it: a refusal
 * that costs as much as an answer helps nobody. Whether we are well is always told.
 */
export function shedLoad(app: FastifyInstance, ctx: Context): void {
  const pressure = watchPressure(ctx)
  let refused = 0
  let quietSamples = 0
  let sampling: NodeJS.Timeout | undefined
  function keepSampling(): void {
    quietSamples = 0
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
    if (refused > 0) ctx.log.warn({ refused }, 'There was more to do than could be done: requests were refused.')
    if (refused > 0) ctx.metrics?.requestsRefused(refused)
    refused = 0
    quietSamples += 1
    if (quietSamples > QUIET_SAMPLES && pressure.isCalm()) stopSampling()
  }
  app.addHook('onClose', async () => stopSampling())
  const [handle] = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isFree(request)) return handle?.(request, response as never)
    keepSampling()
    if (pressure.admits(response)) return handle?.(request, response as never)
    refused += 1
    refuse(response, {
      ...crossOriginHeaders(request, ctx.config.corsOrigins),
      ...(ctx.jobs.closing && { Connection: 'close' }),
    })
  })
}

/** A preflight has nothing done, and without an answer to it a page is not told that it is refused. */
function isFree({ method, url = '' }: IncomingMessage): boolean {
  return ALWAYS.test(url) || method === 'OPTIONS'
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

/** Made beforehand but for the id: there are many of them when there is least time. */
function refuse(response: ServerResponse, headers: Record<string, string>): void {
  const requestId = randomUUIDv7()
  response.writeHead(503, { ...HEADERS, ...headers, 'X-Request-Id': requestId })
  response.end(BEFORE_ID + requestId + AFTER_ID)
}

function watchPressure(ctx: Context) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  let slowSamples = 0
  let crowdedSamples = 0
  const meanwhile = new Set<ServerResponse>()
  const isWaitedFor = (each: number) => {
    const { most, awaited } = ctx.connections()
    // The embedded database has one connection, and nobody else's requests to keep apart.
    return most > 1 && awaited > most * each
  }
  return {
    sample(): void {
      // Event streams go on for long, but cost little once they are open.
      for (const response of meanwhile) if (response.headersSent) meanwhile.delete(response)
      crowdedSamples = isWaitedFor(MAX_STANDING / 2) ? crowdedSamples + 1 : 0
      // The first turn after a reset is not measured, and may have taken as long as a sample.
      if (delay.count === 0) return
      const isSlow = delay.percentile(MEDIAN) / NANOSECONDS > MAX_DELAY_MS
      slowSamples = isSlow ? slowSamples + 1 : 0
      delay.reset()
    },
    admits(response: ServerResponse): boolean {
      if (isWaitedFor(crowdedSamples >= STANDING_SAMPLES ? MAX_STANDING : MAX_WAITING)) return false
      if (slowSamples < SLOW_SAMPLES) return true
      if (meanwhile.size >= MAX_MEANWHILE) return false
      meanwhile.add(response)
      response.once('close', () => meanwhile.delete(response))
      return true
    },
    isCalm: () => slowSamples + crowdedSamples === 0,
    start: () => void delay.enable(),
    stop: () => void delay.disable(),
  }
}
