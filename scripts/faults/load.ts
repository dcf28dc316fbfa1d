import { setTimeout as sleep } from 'node:timers/promises'
import { recordAcknowledgements } from './acknowledgements.ts'
import type { Deployment } from './deployment.ts'
import { prepareRequests, type Request } from './requests.ts'

const REQUESTS_PER_SECOND = 200
/** Longer than any request may take. */
const REQUEST_TIMEOUT_MS = 35_000
const PAUSE_BEFORE_RETRY_MS = 300
const SLOW_MS = 1000
const SETTLE_MS = 3000

export interface Report {
  requests: number
  acknowledged: number
  /** Acknowledged writes that are missing or were contradicted later. */
  lost: number
  /** Accepted article jobs, and how many of them failed. */
  jobs: number
  failedJobs: number
  /** Requests that failed and failed again on retry. */
  errors: number
  /** Statuses of failed attempts; 0 means no response. */
  statuses: Record<number, number>
}

/** Sends reads, likes and article requests at a fixed rate until stopped. */
export async function startLoad(deployment: Deployment) {
  const nextRequest = await prepareRequests(deployment)
  const { url } = deployment.balancer
  const record = recordAcknowledgements(deployment, async (request) => (await send(url, request)).jobId)
  const report: Report = { requests: 0, acknowledged: 0, lost: 0, jobs: 0, failedJobs: 0, errors: 0, statuses: {} }
  const active = new Map<Promise<void>, number>()
  /** Attempts that failed or were slow. */
  const badAttempts: { started: number; ended: number }[] = []
  let isStopped = false

  async function perform(request: Request): Promise<void> {
    const before = record.begin(request)
    if (!(await attempt(request, before))) {
      await sleep(PAUSE_BEFORE_RETRY_MS)
      if (!(await attempt(request, undefined))) report.errors += 1
    }
    record.end(request)
  }

  async function attempt(request: Request, before: boolean | undefined): Promise<boolean> {
    const started = performance.now()
    const { status, jobId } = await send(url, request)
    const isExpected = request.expected(before).includes(status)
    const isContradiction = !isExpected && before !== undefined && request.expected(undefined).includes(status)
    if (isContradiction) record.contradict()
    const isDone = isExpected || isContradiction
    if (isDone) {
      record.acknowledge(request, jobId)
      if (request.claim || jobId) report.acknowledged += 1
    } else report.statuses[status] = (report.statuses[status] ?? 0) + 1
    if (!isDone || isSlow(started)) badAttempts.push({ started, ended: performance.now() })
    return isDone
  }

  async function run(): Promise<void> {
    const begun = performance.now()
    for (let n = 0; !isStopped; n++) {
      await sleep(Math.max(0, begun + (n * 1000) / REQUESTS_PER_SECOND - performance.now()))
      report.requests += 1
      const performing = perform(nextRequest(record.known)).finally(() => active.delete(performing))
      active.set(performing, performance.now())
    }
  }

  const running = run()
  await sleep(SETTLE_MS)
  return {
    /** When the last failed or slow attempt that started after `time` ended; now if a slow one is still running. */
    recoveredAt(time: number): number {
      if (active.values().some((started) => started >= time && isSlow(started))) return performance.now()
      return Math.max(time, ...badAttempts.filter(({ started }) => started >= time).map(({ ended }) => ended))
    },
    async stop(): Promise<Report> {
      isStopped = true
      await running
      await Promise.all(active.keys())
      return Object.assign(report, await record.close())
    },
  }
}

function isSlow(started: number): boolean {
  return performance.now() - started > SLOW_MS
}

async function send(url: string, { path, method, token, headers, body }: Request) {
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
    const jobId: string | undefined = answer.status === 202 ? JSON.parse(text).data.id : undefined
    return { status: answer.status, jobId }
  } catch {
    return { status: 0, jobId: undefined }
  }
}
