import type { Context } from '../context.ts'
import { contract } from '../contract.ts'
import { isMigrated } from '../db/migrate.ts'
import { Problem } from '../errors.ts'
import { type Handler, reply } from '../http/handler.ts'

export const getReadiness: Handler<'getReadiness'> = async (_, ctx) => {
  const checks = await readinessChecks(ctx)
  if (Object.values(checks).some((check) => check.state === 'down'))
    throw new Problem('SERVICE_UNAVAILABLE', 'Not ready.', { details: { checks }, retryAfter: 5 })
  return reply(200, { ok: true, version: contract.info.version, checks }, 'Ready.')
}

async function readinessChecks(ctx: Context) {
  const migrated = await isMigrated(ctx.db).catch(() => undefined)
  const state = (good: boolean | undefined) => ({ state: good ? ('up' as const) : ('down' as const) })
  return { database: state(migrated !== undefined), migrations: state(migrated) }
}
