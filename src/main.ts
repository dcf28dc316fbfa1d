import { lookup } from 'node:dns/promises'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from './app.ts'
import { startWriting } from './articles/worker.ts'
import { explainStartError, runProgram } from './cli.ts'
import { readConfig } from './config/config.ts'
import { environment } from './config/environment.ts'
import { createContext } from './context.ts'
import { closeGracefully } from './lib/closeGracefully.ts'
import { keepRankingFresh } from './likes/keepRankingFresh.ts'
import { createLogger } from './logger.ts'
import { startSweeping } from './maintenance/sweeping.ts'
import { startPolling } from './merges/poll.ts'
import { startVerifying } from './repositories/verifyListed.ts'
import { serveMetrics } from './telemetry/serve.ts'

const MAX_SHUTDOWN_MS = 9500
const OUTBOUND_CALLS_TIMEOUT_MS = 7000
const MAX_CLOSING_MS = 8000
/** On some idle connections, a request may be on its way when the server closes. */
const IDLE_GRACE_MS = 500
/** The kernel drops connections beyond this, and clients retry only after seconds. A 503 at once is better. */
const BACKLOG = 4096

await runProgram(async () => {
  const config = readConfig(environment())
  const log = createLogger(config.logLevel)
  const database = config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
  const ctx = await explainStartError(database, createContext(config, log))
  const app = await createApp(ctx, IDLE_GRACE_MS)
  if (config.role !== 'api') await startWriting(ctx)
  const metrics =
    ctx.telemetry.metrics &&
    config.metrics &&
    (await explainStartError('METRICS_PORT', serveMetrics(ctx.telemetry.metrics, config.metrics)))
  const stopRefreshingRanking = keepRankingFresh(ctx)
  const stopSweeping = startSweeping(ctx)
  const stopVerifying = startVerifying(ctx)
  const stopPolling = config.role === 'api' ? async () => {} : startPolling(ctx)
  const drainMs = config.drainSeconds * 1000
  closeGracefully({
    log,
    timeoutMs: MAX_SHUTDOWN_MS + drainMs,
    async close({ signal, err }) {
      if (err !== undefined) log.fatal({ err }, 'Unhandled error: shutting down.')
      else log.info({ signal }, 'Shutting down.')
      ctx.jobs.watch.endAllWaits()
      ctx.jobs.queue.stopFetching()
      if (signal === 'SIGTERM') await sleep(drainMs)
      ctx.jobs.queue.abortRunning()
      const outboundTimer = setTimeout(ctx.abortOutboundCalls, OUTBOUND_CALLS_TIMEOUT_MS)
      const connectionsTimer = setTimeout(() => app.server.closeAllConnections(), MAX_CLOSING_MS)
      stopRefreshingRanking()
      stopSweeping()
      stopVerifying()
      const polling = stopPolling()
      await Promise.all([app.close(), polling])
      clearTimeout(outboundTimer)
      clearTimeout(connectionsTimer)
      metrics?.close()
      await ctx.close()
    },
  })
  // Resolved here, so that the error of an unknown host name is about ADDRESS alone.
  const { address: host } = await explainStartError('ADDRESS', lookup(config.address))
  await explainStartError('PORT and ADDRESS', app.listen({ port: config.port, host, backlog: BACKLOG }))
  const articles = config.model ? config.model.names.join(', ') : 'outlines, without a model'
  const { role } = config
  log.info({ role, database: config.databaseUrl ? 'postgres' : 'embedded', articles, docs: '/docs' }, 'Ready.')
  // Node writes the cache only at a regular exit, which a killed process never reaches.
  flushCompileCache()
})
