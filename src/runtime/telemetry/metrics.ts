import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from '@prometheus-io/client'
import type { Connections } from '../../db/engine/open.ts'
import type { HostCall } from '../../host/transport.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'
import type { Usage } from '../../model/call.ts'
import { costOf, type Prices } from '../config/prices.ts'
import { prometheusText } from './prometheusText.ts'

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const COUNT_TIMEOUT_MS = 1000

export type ModelUse = Usage & { model: string }

/** Kinds of cached data. */
export type CacheKind = 'article' | 'list' | 'host answer'

export interface Metrics {
  requestEnded(operation: string, status: number, seconds: number, requestId: string): void
  requestsRefused(count: number): void
  lookedUp(cache: CacheKind, isThere: boolean): void
  hostCalled(call: HostCall): void
  modelAnswered(use: ModelUse): void
  modelFailed(model: string): void
  watchConnections(connections: () => Connections): void
  jobEnded(status: 'succeeded' | 'failed'): void
  jobFailed(reason: string): void
  watchJobs(count: () => Promise<JobCount[]>): void
  watchMerges(count: () => Promise<MergeCount[]>, findOverdueSeconds: () => Promise<number>): void
  print(format: MetricsFormat): Promise<{ text: string; contentType: string }>
}

export type MetricsFormat = 'openMetrics' | 'text'

export interface JobCount {
  status: string
  count: number
  /** The longest time that a job has been in this status. */
  oldestSeconds: number
}

export interface MergeCount {
  status: string
  count: number
}

/** Returns undefined if the database does not answer in time, so that all other metrics are reported even then. */
async function inTime<T>(count: () => Promise<T>): Promise<T | undefined> {
  let counted: T | undefined
  const counting = count().then((result) => {
    counted = result
  })
  await waitAtMost(COUNT_TIMEOUT_MS, [counting])
  return counted
}

/** `prices` by the name of the model. */
export function createMetrics(prices: Record<string, Prices>): Metrics {
  // OpenMetrics supports exemplars, which attach request ids to durations: they lead to log lines and traces.
  const register = new Registry<OpenMetricsContentType>(Registry.OPENMETRICS_CONTENT_TYPE)
  const registers = [register]
  collectDefaultMetrics({ register })
  // These metrics repeat the lag of the event loop, in 30 lines of each scrape.
  for (const kind of ['summary', 'histogram']) register.removeSingleMetric(`nodejs_eventloop_utilization_${kind}`)
  const requests = new Histogram({
    name: 'pullpress_request_seconds',
    help: 'Duration of requests, by operation and status.',
    labelNames: ['operation', 'status', 'request_id'],
    enableExemplars: true,
    buckets: DURATION_BUCKETS,
    registers,
  })
  const refusals = new Counter({
    name: 'pullpress_refused_requests_total',
    help: 'Requests rejected with 503 because of overload.',
    registers,
  })
  const lookups = new Counter({
    name: 'pullpress_cache_lookups_total',
    help: 'Cache lookups of articles, lists and code-host responses, by outcome (hit or miss).',
    labelNames: ['of', 'outcome'],
    registers,
  })
  const hostCalls = new Histogram({
    name: 'pullpress_host_call_seconds',
    help: 'Duration of calls to the code host, by status; 0 means no response.',
    labelNames: ['status'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const hostRemaining = new Gauge({
    name: 'pullpress_host_calls_remaining',
    help: "Calls left in the code host's rate limit, for the token that was used last.",
    registers,
  })
  const tokens = new Counter({
    name: 'pullpress_model_tokens_total',
    help: 'Tokens of the model: in, out; of those in: cached, cache_write; of those out: reasoning.',
    labelNames: ['model', 'direction'],
    registers,
  })
  const cost = new Counter({
    name: 'pullpress_model_cost_total',
    help: 'Cost of the tokens by MODEL_PRICES_PER_MILLION_TOKENS.',
    labelNames: ['model'],
    registers: Object.keys(prices).length > 0 ? registers : [],
  })
  const modelCalls = new Counter({
    name: 'pullpress_model_calls_total',
    help: 'Calls of the model, by outcome (answered or failed).',
    labelNames: ['model', 'outcome'],
    registers,
  })
  const jobsEnded = new Counter({
    name: 'pullpress_jobs_ended_total',
    help: 'Article jobs that ended on this node, by status.',
    labelNames: ['status'],
    registers,
  })
  const jobsFailed = new Counter({
    name: 'pullpress_jobs_failed_total',
    help: 'Article jobs that failed on this node, by the reason in the error of the job, or its code.',
    labelNames: ['reason'],
    registers,
  })
  const lookedUp = (of: CacheKind, isThere: boolean) => lookups.inc({ of, outcome: isThere ? 'hit' : 'miss' })
  return {
    async print(format) {
      return format === 'text'
        ? { text: await prometheusText(register), contentType: Registry.PROMETHEUS_CONTENT_TYPE }
        : { text: await register.metrics(), contentType: register.contentType }
    },
    requestEnded: (operation, status, seconds, requestId) =>
      requests.observe({ labels: { operation, status }, value: seconds, exemplarLabels: { request_id: requestId } }),
    requestsRefused: (count) => refusals.inc(count),
    lookedUp,
    hostCalled({ status, seconds, remaining, isConditional }) {
      if (isConditional && status !== undefined) lookedUp('host answer', status === 304)
      hostCalls.observe({ status: status ?? 0 }, seconds)
      if (remaining !== undefined) hostRemaining.set(remaining)
    },
    modelAnswered({ model, ...usage }) {
      modelCalls.inc({ model, outcome: 'answered' })
      tokens.inc({ model, direction: 'in' }, usage.inputTokens)
      tokens.inc({ model, direction: 'cached' }, usage.cachedTokens)
      tokens.inc({ model, direction: 'cache_write' }, usage.cacheWriteTokens)
      tokens.inc({ model, direction: 'out' }, usage.outputTokens)
      tokens.inc({ model, direction: 'reasoning' }, usage.reasoningTokens)
      const costOfCall = costOf(usage, prices[model])
      if (costOfCall !== undefined) cost.inc({ model }, costOfCall)
    },
    jobEnded: (status) => jobsEnded.inc({ status }),
    jobFailed: (reason) => jobsFailed.inc({ reason }),
    modelFailed: (model) => modelCalls.inc({ model, outcome: 'failed' }),
    watchConnections(connections) {
      const gauge = new Gauge({
        name: 'pullpress_database_connections',
        help: 'Connections to Postgres: maximum (most), open, idle (free), and waited for (awaited).',
        labelNames: ['state'],
        registers,
        collect() {
          for (const [state, count] of Object.entries(connections())) gauge.set({ state }, count)
        },
      })
    },
    watchJobs(count) {
      const jobs = new Gauge({
        name: 'pullpress_jobs',
        help: 'Queued and running article jobs of all nodes, and the age of the oldest in seconds.',
        labelNames: ['status', 'of'],
        registers,
        async collect() {
          const counts = await inTime(count)
          jobs.reset()
          for (const { status, count: number, oldestSeconds } of counts ?? []) {
            jobs.set({ status, of: 'count' }, number)
            jobs.set({ status, of: 'oldest_seconds' }, oldestSeconds)
          }
        },
      })
    },
    watchMerges(count, findOverdueSeconds) {
      const overdue = new Gauge({
        name: 'pullpress_watch_overdue_seconds',
        help: 'How late the most overdue check for merged pull requests is.',
        registers,
        async collect() {
          overdue.set((await inTime(findOverdueSeconds)) ?? 0)
        },
      })
      const merges = new Gauge({
        name: 'pullpress_merges',
        help: 'Merged pull requests that wait for a decision, an article or another try, by status.',
        labelNames: ['status'],
        registers,
        async collect() {
          const counts = await inTime(count)
          merges.reset()
          for (const { status, count: number } of counts ?? []) merges.set({ status }, number)
        },
      })
    },
  }
}
