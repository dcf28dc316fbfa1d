import type { Context, Readiness } from '../context.ts'
import { contract } from '../contract.ts'
import { isMigrated } from '../db/engine/migrate.ts'
import { isQueueReady } from '../db/jobs/queue.ts'
import { Problem } from '../errors.ts'
import { type Handler, reply } from '../http/handler.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'

/** Whoever asks is told rather than left waiting: a database that is silent is none. */
const READINESS_TIMEOUT_MS = 2000

export const getReadiness: Handler<'getReadiness'> = async (_, ctx) => {
  if (ctx.jobs.closing) {
    const details = { checks: { process: state(false) } }
    throw new Problem('SERVICE_UNAVAILABLE', 'Going away.', { details, retryAfter: 5 })
  }
  const { checks, cause } = await ctx.oneCheckAtATime('readiness', () => check(ctx))
  if (Object.values(checks).some((check) => check.state === 'down'))
    throw new Problem('SERVICE_UNAVAILABLE', 'Not ready.', { details: { checks }, retryAfter: 5, cause })
  return reply(200, { ok: true, version: contract.info.version, checks }, 'Ready.')
}

/** One for all who ask meanwhile: it is always answered, so it must not be what others wait for. */
async function check({ db }: Context): Promise<Readiness> {
  const checks = { database: state(false), migrations: state(false), queue: state(false) }
  let cause: unknown
  await waitAtMost(READINESS_TIMEOUT_MS, [
    isMigrated(db).then(
      (is) => {
        checks.database = state(true)
        checks.migrations = state(is)
      },
      (error) => {
        cause = error
      },
    ),
    isQueueReady(db).then((is) => {
      checks.queue = state(is)
    }),
  ])
  return { checks: { ...checks }, cause }
}

function state(good: boolean): { state: 'up' | 'down' } {
  return { state: good ? 'up' : 'down' }
}
