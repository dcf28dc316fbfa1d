import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApp } from './app.ts'
import { databaseVariables, explainStartError, runProgram } from './cli.ts'
import { createContext } from './createContext.ts'
import { startWriting } from './domain/articles/worker.ts'
import { keepRankingFresh } from './domain/likes/keepRankingFresh.ts'
import { startPolling } from './domain/merges/poll.ts'
import { startVerifying } from './domain/repositories/verifyListed.ts'
import { closeGracefully } from './lib/closeGracefully.ts'
import { createLogger } from './logger.ts'
import { type Config, readConfig } from './runtime/config/config.ts'
import { environment } from './runtime/config/environment.ts'
import { whoMaySignUp } from './runtime/config/signUp.ts'
import { unknownVariables } from './runtime/config/unknownVariables.ts'
import { startSweeping } from './runtime/maintenance/sweeping.ts'
import { serveMetrics } from './runtime/telemetry/serve.ts'
import { createServer } from './web/server/serverFactory.ts'

const MAX_SHUTDOWN_MS = 9500
const OUTBOUND_CALLS_TIMEOUT_MS = 7000
const MAX_CLOSING_MS = 8000
/** Idle connections stay open this long after the server starts to close, because a request may be on its way. */
const IDLE_GRACE_MS = 500
/**
 * Limit of connections that wait to be accepted. The kernel drops further ones, and their clients retry only after
 * seconds. The limit is high, because a 503 at once is better.
 */
const BACKLOG = 4096

await runProgram(async () => {
  // `--check=deep` is `--check` with a value, which parseArgs cannot make optional.
  const isDeep = process.argv.includes('--check=deep')
  const args = process.argv.slice(2).map((arg) => (arg === '--check=deep' ? '--check' : arg))
  const { values } = parseArgs({ args, options: { check: { type: 'boolean' } } })
  if (values.check) return printCheck(isDeep)
  const variables = environment()
  const config = readConfig(variables)
  const log = createLogger(config.logLevel, { format: config.logFormat })
  for (const warning of unknownVariables(variables)) log.warn(warning)
  const database = databaseVariables(config)
  const server = createServer(IDLE_GRACE_MS)
  // Listens before migrations run: a node that cannot serve must not change the database.
  await listen(server, config)
  const ctx = await explainStartError(database, createContext(config, log))
  const app = await createApp(ctx, server)
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
      const connectionsTimer = setTimeout(() => server.closeAllConnections(), MAX_CLOSING_MS)
      stopRefreshingRanking()
      stopSweeping()
      stopVerifying()
      const served = once(server, 'close')
      server.close()
      await Promise.all([app.close(), served, stopPolling()])
      clearTimeout(outboundTimer)
      clearTimeout(connectionsTimer)
      metrics?.close()
      await ctx.close()
    },
  })
  await app.ready()
  const articles = config.model ? config.model.names.join(', ') : 'outlines, without a model'
  const { address, port, role, databaseUrl, signUp } = config
  const engine = databaseUrl ? 'postgres' : 'embedded'
  log.info({ address, port, role, database: engine, articles, signUp: whoMaySignUp(signUp) }, readyText(config))
  // Node writes the compile cache only at a regular exit, which a killed process never reaches.
  flushCompileCache()
})

async function listen(server: Server, { port, address }: Config): Promise<void> {
  // Resolved here, so that the error of an unknown host name is about ADDRESS alone.
  const { address: host } = await explainStartError('ADDRESS', lookup(address))
  await explainStartError('PORT and ADDRESS', once(server.listen({ port, host, backlog: BACKLOG }), 'listening'))
}

/** Says where to look first, for somebody who starts the service for the first time. */
function readyText({ role, publicUrl, address, port }: Config): string {
  if (role === 'worker') return 'Pullpress is ready. This node writes articles and serves no pages.'
  const isAnywhere = address === '0.0.0.0' || address === '::'
  const host = isAnywhere ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return `Pullpress is ready at ${publicUrl?.origin ?? `http://${host}:${port}`}/read (the API: /docs).`
}

async function printCheck(isDeep: boolean): Promise<void> {
  // Loaded only here, to start faster.
  const { check } = await import('./runtime/diagnose/check.ts')
  const { table } = await import('./runtime/diagnose/table.ts')
  const findings = await check(environment(), isDeep ? { announce: console.log } : undefined)
  console.log(table(findings))
  process.exit(findings.some(({ state }) => state === 'broken') ? 1 : 0)
}
