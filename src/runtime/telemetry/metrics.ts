import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from '@prometheus-io/client'
import type { HostCall } from '../../host/transport.ts'
import type { Usage } from '../../model/call.ts'
import { costOf, type Prices } from '../config/prices.ts'
import { createGauges, type Gauges } from './gauges.ts'
import { prometheusText } from './prometheusText.ts'

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export type ModelUse = Usage & { model: string }

/** Kinds of cached data. */
export type CacheKind = 'article' | 'list' | 'host answer'

export interface Metrics extends Gauges {
  requestEnded(operation: string, status: number, seconds: number, requestId: string): void
  requestsRefused(count: number): void
  lookedUp(cache: CacheKind, isThere: boolean): void
  hostCalled(call: HostCall): void
  modelAnswered(use: ModelUse): void
  modelFailed(model: string): void
  jobEnded(status: 'succeeded' | 'failed'): void
  jobFailed(reason: string): void
  print(format: MetricsFormat): Promise<{ text: string; contentType: string }>
}

export type MetricsFormat = 'openMetrics' | 'text'

/** `prices` by the name of the model. `version` is that of the service. */
export function createMetrics(version: string, prices: Record<string, Prices>): Metrics {
  // OpenMetrics supports exemplars, which attach request ids to durations: they lead to log lines and traces.
  const register = new Registry<OpenMetricsContentType>(Registry.OPENMETRICS_CONTENT_TYPE)
  const registers = [register]
  collectDefaultMetrics({ register })
  // These metrics repeat the lag of the event loop, in 30 lines of each scrape.
  for (const kind of ['summary', 'histogram']) register.removeSingleMetric(`nodejs_eventloop_utilization_${kind}`)
  new Gauge({
    name: 'pullpress_build_info',
    help: 'Always 1. The labels are the versions of the service and of Node.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1)
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
    help: "Calls left in the code host's rate limit: of the service's token, of the user's token used last, and without one.",
    labelNames: ['token'],
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
    hostCalled({ status, seconds, remaining, isConditional, token }) {
      if (isConditional && status !== undefined) lookedUp('host answer', status === 304)
      hostCalls.observe({ status: status ?? 0 }, seconds)
      if (remaining !== undefined) hostRemaining.set({ token }, remaining)
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
    ...createGauges(registers),
  }
}
