import { Counter, collectDefaultMetrics, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client'
import type { Prices } from '../config/config.ts'
import type { Connections } from '../db/engine/open.ts'
import type { HostCall } from '../host/transport.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const COUNT_TIMEOUT_MS = 1000

export interface ModelUse {
  model: string
  inputTokens: number
  outputTokens: number
}

/** What is kept so that it need not be made, or asked for, again. */
export type Kept = 'article' | 'list' | 'host answer'

/** What there is to see of a node while it runs. */
export interface Metrics {
  requestEnded(operation: string, status: number, seconds: number, requestId: string): void
  requestsRefused(count: number): void
  lookedUp(kept: Kept, isThere: boolean): void
  hostCalled(call: HostCall): void
  modelAnswered(use: ModelUse): void
  modelFailed(model: string): void
  watchConnections(connections: () => Connections): void
  jobEnded(status: 'succeeded' | 'failed'): void
  jobFailed(reason: string | undefined): void
  watchJobs(count: () => Promise<JobCount[]>): void
  text(): Promise<string>
  readonly contentType: string
}

export interface JobCount {
  status: string
  count: number
  /** Since when the oldest of them has been so. */
  oldestSeconds: number
}

export function createMetrics(prices: Prices | undefined): Metrics {
  // What gives requests their ids along with how long they took, by which their log lines and traces are found.
  const register = new Registry<OpenMetricsContentType>()
  register.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const registers = [register]
  collectDefaultMetrics({ register })
  const requests = new Histogram({
    name: 'pullpress_request_seconds',
    help: 'How long requests took, by operation and status.',
    labelNames: ['operation', 'status', 'request_id'],
    enableExemplars: true,
    buckets: SECONDS,
    registers,
  })
  const refusals = new Counter({
    name: 'pullpress_refused_requests_total',
    help: 'Requests refused because there was more to do than could be done.',
    registers,
  })
  const lookups = new Counter({
    name: 'pullpress_cache_lookups_total',
    help: 'Articles, lists and answers of the code host that were there already (hit), or had to be made or asked for.',
    labelNames: ['of', 'outcome'],
    registers,
  })
  const hostCalls = new Histogram({
    name: 'pullpress_host_call_seconds',
    help: 'How long the code host took to answer, by status; 0 is no answer.',
    labelNames: ['status'],
    buckets: SECONDS,
    registers,
  })
  const hostRemaining = new Gauge({
    name: 'pullpress_host_calls_remaining',
    help: "What the code host's limit left for the token that was used last.",
    registers,
  })
  const tokens = new Counter({
    name: 'pullpress_model_tokens_total',
    help: 'Tokens that the model read and wrote.',
    labelNames: ['model', 'direction'],
    registers,
  })
  const cost = new Counter({
    name: 'pullpress_model_cost_total',
    help: 'What they cost by the configured prices.',
    labelNames: ['model'],
    registers: prices ? registers : [],
  })
  const modelCalls = new Counter({
    name: 'pullpress_model_calls_total',
    help: 'Calls of the model, by whether it answered.',
    labelNames: ['model', 'outcome'],
    registers,
  })
  const jobsEnded = new Counter({
    name: 'pullpress_jobs_ended_total',
    help: 'Articles that this node has written, or given up.',
    labelNames: ['status'],
    registers,
  })
  const jobsFailed = new Counter({
    name: 'pullpress_jobs_failed_total',
    help: 'Articles that this node could not write, by the reason in the error of the job; other where it has none.',
    labelNames: ['reason'],
    registers,
  })
  const lookedUp = (of: Kept, isThere: boolean) => lookups.inc({ of, outcome: isThere ? 'hit' : 'miss' })
  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    requestEnded: (operation, status, seconds, requestId) =>
      requests.observe({ labels: { operation, status }, value: seconds, exemplarLabels: { request_id: requestId } }),
    requestsRefused: (count) => refusals.inc(count),
    lookedUp,
    hostCalled({ status, seconds, remaining, isConditional }) {
      if (isConditional && status !== undefined) lookedUp('host answer', status === 304)
      hostCalls.observe({ status: status ?? 0 }, seconds)
      if (remaining !== undefined) hostRemaining.set(remaining)
    },
    modelAnswered({ model, inputTokens, outputTokens }) {
      modelCalls.inc({ model, outcome: 'answered' })
      tokens.inc({ model, direction: 'in' }, inputTokens)
      tokens.inc({ model, direction: 'out' }, outputTokens)
      if (prices) cost.inc({ model }, (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000)
    },
    jobEnded: (status) => jobsEnded.inc({ status }),
    jobFailed: (reason = 'other') => jobsFailed.inc({ reason }),
    modelFailed: (model) => modelCalls.inc({ model, outcome: 'failed' }),
    watchConnections(connections) {
      const gauge = new Gauge({
        name: 'pullpress_database_connections',
        help: 'Connections to Postgres: the most there may be, open, free, and awaited by requests.',
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
        help: 'Articles to be written or being written, of all nodes, and for how many seconds the oldest has been.',
        labelNames: ['status', 'of'],
        registers,
        async collect() {
          let counts: JobCount[] = []
          // All else is told while the database is silent.
          await waitAtMost(COUNT_TIMEOUT_MS, [
            count().then((counted) => {
              counts = counted
            }),
          ])
          jobs.reset()
          for (const { status, count: number, oldestSeconds } of counts) {
            jobs.set({ status, of: 'count' }, number)
            jobs.set({ status, of: 'oldest_seconds' }, oldestSeconds)
          }
        },
      })
    },
  }
}
