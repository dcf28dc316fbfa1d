import { extname } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Context, Threads } from './context.ts'
import { contract } from './contract.ts'
import { findBreakerState, MODEL_BREAKER } from './db/articles/breakers.ts'
import { countJobs } from './db/articles/jobCounts.ts'
import { startDatabaseClock } from './db/engine/databaseClock.ts'
import { openDatabase } from './db/engine/open.ts'
import { countOpenMerges, findOverdueSeconds } from './db/merges/openWork.ts'
import { hostBearer } from './domain/accounts/bearer.ts'
import { embeddedKey } from './domain/accounts/embeddedKey.ts'
import { settleRenewals } from './domain/accounts/renewal.ts'
import { startCounting } from './domain/likes/counting.ts'
import { startIndexing } from './domain/search/indexing.ts'
import { createCodeHost } from './host/codeHost.ts'
import { decodingWith } from './host/decode.ts'
import type { HostCall } from './host/transport.ts'
import type { Watching } from './model/model.ts'
import { openModel } from './model/openModel.ts'
import type { Config } from './runtime/config/config.ts'
import { isWatching } from './runtime/config/isWatching.ts'
import { startQueue } from './runtime/jobs/queue.ts'
import { createStreams } from './runtime/jobs/streams.ts'
import { watchJobs } from './runtime/jobs/watch.ts'
import { createLimits } from './runtime/limits/limits.ts'
import type { Metrics } from './runtime/telemetry/metrics.ts'
import { readBudgets } from './runtime/telemetry/readBudgets.ts'
import type { Tracing } from './runtime/telemetry/tracing.ts'
import { createThreads, THREAD_LIMITS, type ThreadLimits } from './runtime/threads/threads.ts'
import { maxParts } from './writer/reading/budget.ts'

/** Modules that are imported only if configured, to start faster. */
const load = {
  jwtBearer: () => import('./domain/accounts/jwtBearer.ts'),
  metrics: () => import('./runtime/telemetry/metrics.ts'),
  redis: () => import('./runtime/limits/redis.ts'),
  tracing: () => import('./runtime/telemetry/tracing.ts'),
}

/** Replacements for tests. */
interface Overrides {
  /** The time of this machine. Tests can change it. */
  time?: () => number
  /** The clock that is compared with the database's. It stays correct while a test changes `time`. */
  machineClock?: () => number
  jobPollMs?: number | undefined
}

export async function createContext(
  config: Config,
  log: Logger,
  { time = Date.now, machineClock = Date.now, jobPollMs }: Overrides = {},
): Promise<Context> {
  const metrics =
    config.metrics && (await load.metrics()).createMetrics(contract.info.version, config.model?.prices ?? {})
  const tracing = config.tracesUrl && (await load.tracing()).startTracing(config.tracesUrl)
  const hooks = telemetryHooks(metrics, tracing)
  const database = await openDatabase({
    ...config,
    onQuery: hooks.onQuery,
    onConnectionError: (error) => log.warn({ err: error }, 'Database connection lost.'),
  })
  try {
    const onMigrating = (migrations: number) =>
      log.info(
        { migrations },
        'Migrating the database. Until that is done, requests get 503 and only /healthz is green.',
      )
    for (const name of await database.migrate(onMigrating)) log.info({ migration: name }, 'Migration applied.')
    // Only a separate database server has a clock of its own: the embedded database uses that of this machine.
    const clock = config.databaseUrl && (await startDatabaseClock(database.db, machineClock))
    const now = () => new Date(time() + (clock?.offsetMs() ?? 0))
    const outboundCalls = new AbortController()
    const onQueueError = (error: Error) => log.warn({ err: error }, 'The job queue reported an error.')
    const queue = await startQueue(database.db, onQueueError, jobPollMs)
    metrics?.watchConnections(database.connections)
    metrics?.watchJobs(() => countJobs(database.db, now()))
    metrics?.watchBudgets(() => readBudgets({ db: database.db, config, now }))
    if (config.model) metrics?.watchBreaker(() => findBreakerState(database.db, MODEL_BREAKER, now()))
    if (isWatching({ config }))
      metrics?.watchMerges(
        () => countOpenMerges(database.db),
        () => findOverdueSeconds(database.db, now()),
      )
    const threads = openThreads()
    const decode = decodingWith((encoded) => threads.run('decodeAnswer', encoded))
    const { apiUrl, token } = config.codeHost
    const host = createCodeHost(apiUrl, now, decode, outboundCalls.signal, hooks.onHostCall, token)
    const encryptionKeys = config.encryptionKeys ?? [await embeddedKey(config.dataDir)]
    const counting = startCounting(database.db, now, (error) => log.warn({ err: error }, 'Counting likes failed.'))
    const onIndexError = (error: unknown) => log.warn({ err: error }, 'Updating the search index failed.')
    const onRedisError = (error: Error) => log.warn({ err: error }, 'Redis is unavailable.')
    const redis = config.redisUrl && (await load.redis()).openRedis(config.redisUrl, onRedisError)
    const model = config.model && openModel(config.model, hooks.model, now)
    if (config.model && maxParts(config.model) === 1)
      log.warn('Large pull requests are read only in part: raise MODEL_TOKENS_PER_ARTICLE or MODEL_CALLS_PER_ARTICLE.')
    const limits = config.limits && createLimits(config.limits, now, redis)
    const context: Context = {
      config,
      log,
      now,
      db: database.db,
      connections: database.connections,
      loopDelay: monitorEventLoopDelay({ resolution: 10 }),
      host,
      bearer: config.oidc ? (await load.jwtBearer()).jwtBearer(config.oidc, config.publicUrl, now) : hostBearer(host),
      encryptionKeys,
      threads,
      askModel: model?.ask,
      telemetry: { metrics, tracing },
      limits,
      jobs: {
        queue,
        watch: watchJobs(database.db, now, (error) => log.warn({ err: error }, 'Reading job states failed.')),
        streams: createStreams(),
      },
      counting,
      indexing: startIndexing(database.db, () => context.threads, onIndexError),
      abortOutboundCalls: () => outboundCalls.abort(),
      close: async () => {
        await queue.stop()
        await context.indexing.stop()
        await threads.close()
        await model?.close()
        await counting.stop()
        await limits?.close()
        await settleRenewals(context)
        clock?.stop()
        await database.close()
        await tracing?.close()
      },
    }
    return context
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Reports queries, host calls and model calls to metrics and traces. */
function telemetryHooks(metrics: Metrics | undefined, tracing: Tracing | undefined) {
  return {
    onQuery:
      tracing && ((sql: string, seconds: number) => tracing.recordSpan('query', seconds, { 'db.query.text': sql })),
    onHostCall(call: HostCall): void {
      metrics?.hostCalled(call)
      tracing?.recordSpan('code host', call.seconds, { 'http.response.status_code': call.status ?? 0 })
    },
    model: {
      answered({ model }, { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens }, seconds) {
        const usage = { model, inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens }
        metrics?.modelAnswered(usage)
        tracing?.recordSpan('model', seconds, usage)
      },
      failed({ model }, seconds) {
        metrics?.modelFailed(model)
        tracing?.recordSpan('model', seconds, { model, failed: 1 })
      },
    } satisfies Watching,
  }
}

/** Opens the pool of worker threads. Their entry module is TypeScript in a clone, JavaScript in the bundle. */
export function openThreads(limits: ThreadLimits = THREAD_LIMITS): Threads {
  return createThreads(new URL(`./thread${extname(import.meta.filename)}`, import.meta.url).href, limits)
}
