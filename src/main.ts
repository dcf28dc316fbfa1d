import { lookup } from 'node:dns/promises'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from './app.ts'
import { startWriting } from './articles/worker.ts'
import { concerning, run } from './cli.ts'
import { readConfig } from './config/config.ts'
import { environment } from './config/environment.ts'
import { createContext } from './context.ts'
import { spareIdleConnections } from './http/drain.ts'
import { closeGracefully } from './lib/closeGracefully.ts'
import { keepRankingFresh } from './likes/keepRankingFresh.ts'
import { createLogger } from './logger.ts'
import { startSweeping } from './maintenance/sweeping.ts'
import { serveMetrics } from './telemetry/serve.ts'

const GRACE_MS = 9500
const OUTBOUND_CALLS_TIMEOUT_MS = 7000
const MAX_CLOSING_MS = 8000
/** Connections beyond it are dropped and tried again after seconds: too long for those who could be refused at once. */
const BACKLOG = 4096

await run(async () => {
  const config = readConfig(environment())
  const log = createLogger(config.logLevel)
  const database = config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
  const ctx = await concerning(database, createContext(config, log))
  const app = await createApp(ctx)
  if (config.role !== 'api') await startWriting(ctx)
  const metrics =
    ctx.metrics && config.metrics && (await concerning('METRICS_PORT', serveMetrics(ctx.metrics, config.metrics)))
  const stopProving = keepRankingFresh(ctx)
  const stopSweeping = startSweeping(ctx)
  const drain = config.drainSeconds * 1000
  closeGracefully({
    log,
    timeoutMs: GRACE_MS + drain,
    async close({ signal, err }) {
      if (err !== undefined) log.fatal({ err }, 'A fault nobody handled; closing.')
      else log.info({ signal }, 'Closing.')
      ctx.jobs.letGo()
      ctx.queue.rest()
      if (signal === 'SIGTERM') await sleep(drain)
      ctx.queue.handOver()
      const patience = setTimeout(ctx.giveUpOutsideCalls, OUTBOUND_CALLS_TIMEOUT_MS)
      const end = setTimeout(() => app.server.closeAllConnections(), MAX_CLOSING_MS)
      stopProving()
      stopSweeping()
      spareIdleConnections(app.server)
      await app.close()
      clearTimeout(patience)
      clearTimeout(end)
      metrics?.close()
      await ctx.close()
    },
  })
  // For a name with several addresses Fastify would open servers that know nothing of shedding and draining.
  const { address: host } = await concerning('ADDRESS', lookup(config.address))
  await concerning('PORT and ADDRESS', app.listen({ port: config.port, host, backlog: BACKLOG }))
  const articles = config.model ? config.model.names.join(', ') : 'outlines, without a model'
  const { role } = config
  log.info({ role, database: config.databaseUrl ? 'postgres' : 'embedded', articles, docs: '/docs' }, 'Ready.')
  // Node does it at the end of a process, which one that is killed does not come to.
  flushCompileCache()
})
