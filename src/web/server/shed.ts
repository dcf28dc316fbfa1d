import type { IncomingMessage, RequestListener } from 'node:http'
import { operations } from '../../../generated/operations.ts'
import type { Context } from '../../context.ts'
import { createSlots } from '../../runtime/limits/slots.ts'
import { crossOriginHeaders } from '../api/crossOrigin.ts'
import { watchPressure } from './pressure.ts'
import { refuse } from './refuse.ts'

const SAMPLE_MS = 250
/** Sampling takes most of the CPU time of an idle process, so it pauses after this many samples without a request. */
const IDLE_SAMPLES = 20
const HEALTH_PROBE = /^\/(healthz|readyz)(\?|$)/
/** Limits of webhook deliveries. The bodies of waiting ones are not read: a connection buffers about 100 KB. */
const DELIVERIES = { atOnce: 20, maxWaiting: 2500 }
/** A delivery releases its slot after this time, so that slow senders do not block others. */
const DELIVERY_SLOT_MS = 100

export interface LoadShedding {
  listener: RequestListener
  stop(): void
}

/**
 * Under overload, answers 503 before any other work: a rejection that costs as much as a response would not help. Health
 * probes are always answered. Webhook deliveries wait for a slot instead, because GitHub sends each only once.
 */
export function shedLoad(ctx: Context, handle: RequestListener): LoadShedding {
  const pressure = watchPressure(ctx)
  const deliveries = createSlots(DELIVERIES)
  let refused = 0
  let idleSamples = 0
  let sampling: NodeJS.Timeout | undefined
  function keepSampling(): void {
    idleSamples = 0
    if (sampling) return
    pressure.start()
    sampling = setInterval(sample, SAMPLE_MS).unref()
  }
  function stop(): void {
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
    if (idleSamples > IDLE_SAMPLES && pressure.isCalm()) stop()
  }
  const listener: RequestListener = (request, response) => {
    if (isExempt(request)) return handle(request, response)
    keepSampling()
    if (ctx.config.webhookSecrets && isDelivery(request)) return handleDelivery(request, response)
    if (pressure.admits(response)) return handle(request, response)
    shed(request, response)
  }
  const handleDelivery: RequestListener = (request, response) => {
    const handleInSlot = (release: () => void) => {
      // The sender may have disconnected while it waited.
      if (response.destroyed) return release()
      const timer = setTimeout(release, DELIVERY_SLOT_MS)
      response.once('close', () => {
        clearTimeout(timer)
        release()
      })
      handle(request, response)
    }
    deliveries.take().then(handleInSlot, () => shed(request, response))
  }
  const shed: RequestListener = (request, response) => {
    refused += 1
    refuse(response, {
      ...crossOriginHeaders(request, ctx.config.corsOrigins),
      ...(ctx.jobs.watch.closing && { Connection: 'close' }),
    })
  }
  return { listener, stop }
}

function isDelivery({ url = '' }: IncomingMessage): boolean {
  const { path } = operations.receiveWebhook
  return url === path || url.startsWith(`${path}?`)
}

/**
 * Health probes and preflights are never shed. Without a preflight, which costs little, a page could not see the 503.
 */
function isExempt({ method, url = '' }: IncomingMessage): boolean {
  return HEALTH_PROBE.test(url) || method === 'OPTIONS'
}
