import type { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Bearer } from './accounts/bearer.ts'
import type { Config } from './config/config.ts'
import type { Connections } from './db/engine/open.ts'
import type { Schema } from './db/schema/schema.ts'
import type { CodeHost } from './host/codeHost.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { Streams } from './jobs/streams.ts'
import type { JobWatch } from './jobs/watch.ts'
import type { Secret } from './lib/secret.ts'
import type { Counting } from './likes/counting.ts'
import type { RateLimits } from './limits/limits.ts'
import type { AskModel } from './model/call.ts'
import type { Indexing } from './search/indexing.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Tracing } from './telemetry/tracing.ts'
import type { Tasks } from './thread.ts'
import type { Threads as ThreadsOf } from './threads/threads.ts'

export type Threads = ThreadsOf<Tasks>

interface Jobs {
  queue: JobQueue
  watch: JobWatch
  streams: Streams
}

/** Undefined members are switched off. */
interface Telemetry {
  metrics: Metrics | undefined
  tracing: Tracing | undefined
}

/** Shared by all operations; created once per process. */
export interface Context {
  config: Config
  log: Logger
  /** By the database's clock, which all nodes share. */
  now: () => Date
  db: Kysely<Schema>
  connections(): Connections
  /** How late the event loop is. Measured only while it is enabled. */
  loopDelay: Pick<ReturnType<typeof monitorEventLoopDelay>, 'count' | 'percentile' | 'reset' | 'enable' | 'disable'>
  host: CodeHost
  bearer: Bearer
  encryptionKeys: Secret[]
  threads: Threads
  /** Undefined without a configured model. */
  askModel: AskModel | undefined
  telemetry: Telemetry
  /** Undefined if rate limits are off. */
  limits: RateLimits | undefined
  jobs: Jobs
  counting: Counting
  indexing: Indexing
  abortOutboundCalls(): void
  close(): Promise<void>
}
