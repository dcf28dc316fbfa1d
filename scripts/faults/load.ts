import { setTimeout as sleep } from 'node:timers/promises'
import { type Deed, nextDeed } from './deeds.ts'
import { openLedger } from './ledger.ts'
import type { World } from './world.ts'

/** Longer than any request may take. */
const REQUEST_TIMEOUT_MS = 35_000
const PAUSE_BEFORE_RETRY = 300
const SLOW_MS = 1000

export interface Report {
  requests: number
  acknowledged: number
  /** Of what was acknowledged, how much is not there or was later denied. */
  lost: number
  /** Articles that were accepted, and how many of them came to nothing. */
  jobs: number
  failedJobs: number
  /** Requests that failed, and failed again when they were tried once more. */
  errors: number
  /** Of those that failed, which statuses there were; 0 is none. */
  statuses: Record<number, number>
  /** How long those took that nobody but us has a part in. */
  milliseconds: number[]
}

export type Load = ReturnType<typeof startLoad>

/** People who read, like and ask for articles, so many times a second whatever comes of it, until told to stop. */
export function startLoad(world: World, perSecond: number, url = world.front.url) {
  const ledger = openLedger(world, async (deed) => (await attempt(url, deed)).jobId)
  const report: Report = {
    ...{ requests: 0, acknowledged: 0, lost: 0, jobs: 0, failedJobs: 0, errors: 0 },
    statuses: {},
    milliseconds: [],
  }
  const underWay = new Map<Promise<void>, number>()
  /** Tries that failed or took long. */
  const troubles: { started: number; ended: number }[] = []
  let isStopped = false

  async function perform(deed: Deed, started: number): Promise<void> {
    const before = ledger.begin(deed)
    const isDone = (await tried(deed, before, started)) || (await triedAgain(deed))
    if (!deed.asksHost) report.milliseconds.push(performance.now() - started)
    if (!isDone) report.errors += 1
    ledger.end(deed)
  }

  async function tried(deed: Deed, before: boolean | undefined, started: number): Promise<boolean> {
    const { status, jobId } = await attempt(url, deed)
    const isGood = deed.expected(before).includes(status)
    const isContradiction = !isGood && before !== undefined && deed.expected(undefined).includes(status)
    if (isContradiction) ledger.contradict()
    const isDone = isGood || isContradiction
    if (isDone) {
      ledger.acknowledge(deed, jobId)
      if (deed.claim || jobId) report.acknowledged += 1
    } else report.statuses[status] = (report.statuses[status] ?? 0) + 1
    const ended = performance.now()
    if (!isDone || ended - started > SLOW_MS) troubles.push({ started, ended })
    return isDone
  }

  async function triedAgain(deed: Deed): Promise<boolean> {
    await sleep(PAUSE_BEFORE_RETRY)
    return tried(deed, undefined, performance.now())
  }

  async function run(): Promise<void> {
    const begun = performance.now()
    for (let n = 0; !isStopped; n++) {
      await sleep(Math.max(0, begun + (n * 1000) / perSecond - performance.now()))
      report.requests += 1
      const started = performance.now()
      const doing = perform(nextDeed(world, ledger.knowledge), started).finally(() => underWay.delete(doing))
      underWay.set(doing, started)
    }
  }

  const running = run()
  return {
    report,
    /** When the last that was asked since then, and failed or took long, had ended; now, where one still has not. */
    soundSince(time: number): number {
      const isLate = underWay.values().some((started) => started >= time && isSlow(started))
      if (isLate) return performance.now()
      return Math.max(time, ...troubles.filter(({ started }) => started >= time).map(({ ended }) => ended))
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

async function attempt(url: string, deed: Deed): Promise<{ status: number; jobId?: string | undefined }> {
  const { path, method, token, headers, body } = deed
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
