import { contract } from '../contract.ts'
import { isMigrated } from '../db/migrate.ts'
import { isQueueReady } from '../db/queue.ts'
import { Problem } from '../errors.ts'
import { type Handler, reply } from '../http/handler.ts'

export const getReadiness: Handler<'getReadiness'> = async (_, ctx) => {
  if (ctx.jobs.closing) {
    const details = { checks: { process: state(false) } }
    throw new Problem('SERVICE_UNAVAILABLE', 'Going away.', { details, retryAfter: 5 })
  }
  const migrated = await isMigrated(ctx.db).catch((error: Error) => error)
  const queued = await isQueueReady(ctx.db).catch(() => false)
  const checks = {
    database: state(!(migrated instanceof Error)),
    migrations: state(migrated === true),
    queue: state(queued),
  }
  if (Object.values(checks).some((check) => check.state === 'down'))
    throw new Problem('SERVICE_UNAVAILABLE', 'Not ready.', { details: { checks }, retryAfter: 5, cause: migrated })
  return reply(200, { ok: true, version: contract.info.version, checks }, 'Ready.')
}

function state(good: boolean) {
  return { state: good ? ('up' as const) : ('down' as const) }
}
