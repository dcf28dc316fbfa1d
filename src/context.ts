import type { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Connections } from './db/engine/open.ts'
import type { Schema } from './db/schema/schema.ts'
import type { Bearer } from './domain/accounts/bearer.ts'
import type { Counting } from './domain/likes/counting.ts'
import type { Indexing } from './domain/search/indexing.ts'
import type { CodeHost } from './host/codeHost.ts'
import type { Secret } from './lib/secret.ts'
import type { AskModel } from './model/call.ts'
import type { Config } from './runtime/config/config.ts'
import type { JobQueue } from './runtime/jobs/queue.ts'
import type { Streams } from './runtime/jobs/streams.ts'
import type { JobWatch } from './runtime/jobs/watch.ts'
import type { RateLimits } from './runtime/limits/limits.ts'
import type { Metrics } from './runtime/telemetry/metrics.ts'
import type { Tracing } from './runtime/telemetry/tracing.ts'
import type { ThreadPool as ThreadsOf } from './runtime/threads/threads.ts'
import type { Tasks } from './thread.ts'

export type Threads = ThreadsOf<Tasks>

interface Jobs {
  queue: JobQueue
  watch: JobWatch
  streams: Streams
}

/** A member is undefined if it is switched off. */
interface Telemetry {
  metrics: Metrics | undefined
  tracing: Tracing | undefined
}

/** Shared by all operations; created once per process. */
export interface Context {
  config: Config
  log: Logger
  /** The current time by the database's clock, which all nodes share. */
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
