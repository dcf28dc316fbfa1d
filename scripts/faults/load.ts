import { setTimeout as sleep } from 'node:timers/promises'
import { type Action, nextAction } from './deeds.ts'
import { openLedger } from './ledger.ts'
import type { World } from './world.ts'

/** Longer than any request may take. */
const REQUEST_TIMEOUT_MS = 35_000
const PAUSE_BEFORE_RETRY_MS = 300
const SLOW_MS = 1000

export interface Report {
  requests: number
  acknowledged: number
  /** Acknowledged writes that are missing or were contradicted later. */
  lost: number
  /** Accepted articles, and how many of them failed. */
  jobs: number
  failedJobs: number
  /** Requests that failed and failed again on retry. */
  errors: number
  /** Statuses of failed requests; 0 means no response. */
  statuses: Record<number, number>
  /** Durations of requests that do not depend on the code host. */
  milliseconds: number[]
}

export type Load = ReturnType<typeof startLoad>

/** Sends reads, likes and article requests at a fixed rate until stopped. */
export function startLoad(world: World, perSecond: number, url = world.front.url) {
  const ledger = openLedger(world, async (action) => (await attempt(url, action)).jobId)
  const report: Report = {
    ...{ requests: 0, acknowledged: 0, lost: 0, jobs: 0, failedJobs: 0, errors: 0 },
    statuses: {},
    milliseconds: [],
  }
  const underWay = new Map<Promise<void>, number>()
  /** Attempts that failed or were slow. */
  const badAttempts: { started: number; ended: number }[] = []
  let isStopped = false

  async function perform(action: Action, started: number): Promise<void> {
    const before = ledger.begin(action)
    const isDone = (await tryOnce(action, before, started)) || (await tryAgain(action))
    if (!action.callsHost) report.milliseconds.push(performance.now() - started)
    if (!isDone) report.errors += 1
    ledger.end(action)
  }

  async function tryOnce(action: Action, before: boolean | undefined, started: number): Promise<boolean> {
    const { status, jobId } = await attempt(url, action)
    const isGood = action.expected(before).includes(status)
    const isContradiction = !isGood && before !== undefined && action.expected(undefined).includes(status)
    if (isContradiction) ledger.contradict()
    const isDone = isGood || isContradiction
    if (isDone) {
      ledger.acknowledge(action, jobId)
      if (action.claim || jobId) report.acknowledged += 1
    } else report.statuses[status] = (report.statuses[status] ?? 0) + 1
    const ended = performance.now()
    if (!isDone || ended - started > SLOW_MS) badAttempts.push({ started, ended })
    return isDone
  }

  async function tryAgain(action: Action): Promise<boolean> {
    await sleep(PAUSE_BEFORE_RETRY_MS)
    return tryOnce(action, undefined, performance.now())
  }

  async function run(): Promise<void> {
    const begun = performance.now()
    for (let n = 0; !isStopped; n++) {
      await sleep(Math.max(0, begun + (n * 1000) / perSecond - performance.now()))
      report.requests += 1
      const started = performance.now()
      const doing = perform(nextAction(world, ledger.knowledge), started).finally(() => underWay.delete(doing))
      underWay.set(doing, started)
    }
  }

  const running = run()
  return {
    report,
    /** The end of the last failed or slow attempt that started after `time`; now if one is still running. */
    recoveredAt(time: number): number {
      const isLate = underWay.values().some((started) => started >= time && isSlow(started))
      if (isLate) return performance.now()
      return Math.max(time, ...badAttempts.filter(({ started }) => started >= time).map(({ ended }) => ended))
    },
    async stop(): Promise<Report> {
      isStopped = true
      await running
      await Promise.all(underWay.keys())
      return Object.assign(report, await ledger.close())
    },
  }
}

function isSlow(started: number): boolean {
  return performance.now() - started > SLOW_MS
}

async function attempt(url: string, action: Action): Promise<{ status: number; jobId?: string | undefined }> {
  const { path, method, token, headers, body } = action
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await answer.text()
    return { status: answer.status, jobId: answer.status === 202 ? JSON.parse(text).data.id : undefined }
  } catch {
    return { status: 0 }
  }
}
