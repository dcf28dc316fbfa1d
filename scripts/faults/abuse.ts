import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { median } from '../bench/compare.ts'
import type { Abuse, Answers } from './abuser.ts'
import { watchHealth } from './health.ts'
import { type Report, startLoad } from './load.ts'
import type { Row } from './table.ts'
import type { World } from './world.ts'

const PER_SECOND = 200
const QUIET_MS = 15_000
/** Several rounds, because the speed of the machine varies. */
const ROUNDS = 5
const SOCKETS = { idleSockets: 500, slowSockets: 100 }

/** Sends hostile requests repeatedly and measures their effect on other clients. */
export async function abused(world: World): Promise<Row> {
  const { port = 0, url = '' } = world.nodes[0] ?? {}
  const abuse: Abuse = { port, token: world.users[0]?.token ?? '', ...SOCKETS }
  const health = watchHealth(world.nodes)
  const answers: Record<string, Set<number>> = {}
  async function quiet(): Promise<Loaded> {
    return loaded(world, url, () => sleep(QUIET_MS))
  }
  async function disturbed(): Promise<Loaded> {
    const abuser = new Worker(new URL('./abuser.ts', import.meta.url), { workerData: abuse })
    await once(abuser, 'message')
    return loaded(world, url, async () => {
      abuser.postMessage('begin')
      const [given] = (await once(abuser, 'message')) as [Answers]
      for (const [name, statuses] of Object.entries(given))
        answers[name] = new Set([...(answers[name] ?? []), ...statuses])
    })
  }
  // Warm-up, not measured.
  await quiet()
  await disturbed()
  const before: Loaded[] = []
  const during: Loaded[] = []
  for (let round = 0; round < ROUNDS; round++) {
    before.push(await quiet())
    during.push(await disturbed())
  }
  const { isAlive, isReady, seen } = await health.stop()
  const areRefused = Object.values(answers).every((statuses) =>
    [...statuses].every((status) => status >= 400 && status < 500),
  )
  const areOthersServed = during.every(
    ({ report }) => report.lost + report.errors + Object.keys(report.statuses).length === 0,
  )
  const usual = before.map(({ p99 }) => p99)
  const times = during.map(({ p99 }) => p99)
  const statusTexts = Object.entries(answers).map(([name, statuses]) => `${name} ${[...statuses].join('/')}`)
  return {
    fault: `abuse, ${SOCKETS.idleSockets} idle and ${SOCKETS.slowSockets} slow sockets`,
    load: `${PER_SECOND}/s`,
    report: during.map(({ report }) => report).reduce(addReports),
    seen: `${statusTexts.join(', ')}; p99 of others in ${ROUNDS} rounds ${formatTimes(usual)} ms quiet, ${formatTimes(times)} ms under abuse; ${seen}`,
    isGood:
      [areRefused, areOthersServed, isAlive, isReady].every(Boolean) &&
      median(times) <= 2 * median(usual) &&
      world.exits.length === 0,
  }
}

interface Loaded {
  report: Report
  p99: number
}

async function loaded(world: World, url: string, work: () => Promise<unknown>): Promise<Loaded> {
  const load = startLoad(world, PER_SECOND, url)
  await work()
  const report = await load.stop()
  const sorted = report.milliseconds.toSorted((a, b) => a - b)
  return { report, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}

function addReports(first: Report, second: Report): Report {
  const { requests, acknowledged, lost, jobs, failedJobs, errors } = second
  const statuses = { ...first.statuses }
  for (const [status, count] of Object.entries(second.statuses))
    statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count
  return {
    ...first,
    statuses,
    requests: first.requests + requests,
    acknowledged: first.acknowledged + acknowledged,
    lost: first.lost + lost,
    jobs: first.jobs + jobs,
    failedJobs: first.failedJobs + failedJobs,
    errors: first.errors + errors,
  }
}

function formatTimes(times: number[]): string {
  return times.map((time) => time.toFixed(0)).join('/')
}
