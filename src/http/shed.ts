import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { unavailable } from './problems.ts'

const SAMPLE_MILLISECONDS = 250
const SLOW_SAMPLES = 3
/** Of every other turn of the event loop: a single long one is none of this. */
const LONGEST_DELAY_MILLISECONDS = 150
const MEDIAN = 50
/** A third of a second's work, as far as was measured. */
const MOST_WAITING_FOR_A_CONNECTION = 100
const NANOSECONDS = 1e6

/** Refuses at once what would only wait behind more than can be done. Whether we are well is always told. */
export function shedLoad(app: FastifyInstance, ctx: Context): void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  let slowSamples = 0
  const sampling = setInterval(() => {
    const isSlow = delay.percentile(MEDIAN) / NANOSECONDS > LONGEST_DELAY_MILLISECONDS
    slowSamples = isSlow ? slowSamples + 1 : 0
    delay.reset()
  }, SAMPLE_MILLISECONDS).unref()
  delay.enable()
  app.addHook('onClose', async () => {
    clearInterval(sampling)
    delay.disable()
  })
  app.addHook('onRequest', ({ url }, _, done) => {
    if (!(slowSamples >= SLOW_SAMPLES || isCrowded(ctx)) || url === '/healthz' || url === '/readyz') return done()
    done(unavailable())
  })
}

/** The embedded database has one connection, and nobody else's requests to keep apart. */
function isCrowded(ctx: Context): boolean {
  const { most, awaited } = ctx.connections()
  return most > 1 && awaited > most * MOST_WAITING_FOR_A_CONNECTION
}
