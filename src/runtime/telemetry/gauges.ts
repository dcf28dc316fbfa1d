import { Gauge, type OpenMetricsContentType, type Registry } from '@prometheus-io/client'
import type { Connections } from '../../db/engine/open.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'
import type { BudgetUse } from './readBudgets.ts'

const COUNT_TIMEOUT_MS = 1000
const JOB_STATUSES = ['queued', 'running']
const BREAKER_STATES = ['closed', 'half_open', 'open'] as const

/** Gauges that are read for each scrape. Except for the connections, every node reports those of the whole service. */
export interface Gauges {
  watchConnections(connections: () => Connections): void
  watchJobs(count: () => Promise<JobCount[]>): void
  watchMerges(count: () => Promise<MergeCount[]>, findOverdueSeconds: () => Promise<number>): void
  watchBudgets(read: () => Promise<BudgetUse[]>): void
  watchBreaker(find: () => Promise<BreakerState>): void
}

export type BreakerState = (typeof BREAKER_STATES)[number]

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

export function createGauges(registers: Registry<OpenMetricsContentType>[]): Gauges {
  return {
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
          // Without jobs the series are 0, not missing: a missing one means that the database did not answer.
          for (const status of counts ? JOB_STATUSES : []) {
            const found = counts?.find((each) => each.status === status)
            jobs.set({ status, of: 'count' }, found?.count ?? 0)
            jobs.set({ status, of: 'oldest_seconds' }, found?.oldestSeconds ?? 0)
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
    watchBudgets(read) {
      const gauge = new Gauge({
        name: 'pullpress_budget',
        help: 'Used and left of each budget: model tokens and automatic articles of the day (UTC), calls of the merge poller in the hour.',
        labelNames: ['budget', 'of'],
        registers,
        async collect() {
          const budgets = await inTime(read)
          gauge.reset()
          for (const { budget, used, limit } of budgets ?? []) {
            gauge.set({ budget, of: 'used' }, used)
            gauge.set({ budget, of: 'left' }, Math.max(0, limit - used))
          }
        },
      })
    },
    watchBreaker(find) {
      const breaker = new Gauge({
        name: 'pullpress_model_breaker',
        help: 'The circuit breaker of the model: 1 for its state, 0 for the others.',
        labelNames: ['state'],
        registers,
        async collect() {
          const found = await inTime(find)
          breaker.reset()
          for (const state of found ? BREAKER_STATES : []) breaker.set({ state }, Number(state === found))
        },
      })
    },
  }
}
