import type { components } from '../../generated/api.ts'
import type { Context } from '../context.ts'
import { contract } from '../contract.ts'
import { isMigrated } from '../db/engine/migrate.ts'
import { findPauses } from '../db/jobs/pauses.ts'
import { isQueueReady } from '../db/jobs/queue.ts'
import { Problem } from '../errors.ts'
import { perContext } from '../lib/perContext.ts'
import { singleFlight } from '../lib/singleFlight.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'
import { type Handler, reply } from '../web/api/handler.ts'

/** Probes must not hang: no answer within 2 s counts as down. */
const READINESS_TIMEOUT_MS = 2000

type Check = { state: 'up' | 'down' }

/** Whether each dependency of a node is up, and if not, why. */
interface Readiness {
  checks: Record<'database' | 'migrations' | 'queue', Check>
  /** Work that the service has paused, although it is ready. */
  pauses: components['schemas']['HealthPause'][]
  cause: unknown
}

const checksOf = perContext(() => singleFlight<Readiness>())

export const getReadiness: Handler<'getReadiness'> = async (_, ctx) => {
  if (ctx.jobs.watch.closing) {
    const details = { checks: { process: state(false) } }
    throw new Problem('SERVICE_UNAVAILABLE', 'Shutting down.', { details, retryAfter: 5 })
  }
  const { checks, pauses, cause } = await checksOf(ctx)('readiness', () => check(ctx))
  if (Object.values(checks).some((check) => check.state === 'down'))
    throw new Problem('SERVICE_UNAVAILABLE', 'Not ready.', { details: { checks }, retryAfter: 5, cause })
  return reply(200, { ok: true, version: contract.info.version, checks, pauses }, 'Ready.')
}

/** Concurrent probes share one check. Probes are never shed, so they must not use up the database connections. */
async function check({ db, now }: Context): Promise<Readiness> {
  const checks = { database: state(false), migrations: state(false), queue: state(false) }
  let pauses: Readiness['pauses'] = []
  let cause: unknown
  await waitAtMost(READINESS_TIMEOUT_MS, [
    isMigrated(db).then(
      (isLatest) => {
        checks.database = state(true)
        checks.migrations = state(isLatest)
      },
      (error) => {
        cause = error
      },
    ),
    isQueueReady(db).then((isReady) => {
      checks.queue = state(isReady)
    }),
    findPauses(db, now()).then((rows) => {
      pauses = rows.map(({ name, until }) => ({ name, until: until.toISOString() }))
    }),
  ])
  return { checks: { ...checks }, pauses, cause }
}

function state(isUp: boolean): Check {
  return { state: isUp ? 'up' : 'down' }
}
