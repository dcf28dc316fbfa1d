import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment, Node } from './deployment.ts'
import { startLoad } from './load.ts'
import type { Scenario } from './table.ts'

const SAMPLES = 30
const MIB = 1024 * 1024
const DEBUGGER_TIMEOUT_MS = 30_000
/** The pause after a garbage collection, because the process returns freed pages in the background. */
const PAGE_RELEASE_MS = 200
/** The allowed growth per minute. */
const MAX_GROWTH = { mebibytes: 1, handles: 1, connections: 1 }

type Sample = Record<keyof typeof MAX_GROWTH | 'minutes', number>

/**
 * Runs mixed load for a long time: memory, sockets and connections must not grow. Memory is measured right after
 * garbage collection, because uncollected garbage varies for minutes.
 */
export const soaked: Scenario = async (start, seconds = 20 * 60) => {
  // Lets a process open its debugger on a random port after SIGUSR1.
  const deployment = await start({ NODE_OPTIONS: '--inspect-port=0' })
  const load = await startLoad(deployment)
  // Warm-up: caches fill and code is compiled.
  await sleep((seconds * 1000) / 4)
  const debuggers = await Promise.all(deployment.nodes.map(openDebugger))
  const samples: Sample[] = []
  while (samples.length < SAMPLES) {
    await sleep((seconds * 750) / SAMPLES)
    // Collects garbage on one node after the other, so that not all nodes are slow at once.
    for (const debug of debuggers) await collectGarbage(debug)
    await sleep(PAGE_RELEASE_MS)
    samples.push(await sample(deployment))
  }
  for (const debug of debuggers) debug.close()
  const report = await load.stop()
  const observations = [...deployment.crashes]
  let isGood = report.lost + report.errors + deployment.crashes.length === 0
  for (const name of ['mebibytes', 'handles', 'connections'] as const) {
    const growth = slope(samples.map((one) => [one.minutes, one[name]]))
    if (growth >= MAX_GROWTH[name]) isGood = false
    const [first = 0, last = 0] = [samples[0]?.[name], samples.at(-1)?.[name]]
    observations.push(`${name} ${first.toFixed(0)} → ${last.toFixed(0)} (${growth.toFixed(2)} per minute)`)
  }
  return { fault: `no fault, for ${Math.round(seconds / 60)} minutes`, report, isGood, observations }
}

async function openDebugger(node: Node): Promise<WebSocket> {
  const signal = AbortSignal.timeout(DEBUGGER_TIMEOUT_MS)
  node.signal('SIGUSR1')
  let address: string | undefined
  while (!address) {
    await sleep(50, undefined, { signal })
    address = /Debugger listening on (ws:\S+)\n/.exec(node.output())?.[1]
  }
  const debug = new WebSocket(address)
  await once(debug, 'open', { signal })
  return debug
}

async function collectGarbage(debug: WebSocket): Promise<void> {
  debug.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
  await once(debug, 'message', { signal: AbortSignal.timeout(DEBUGGER_TIMEOUT_MS) })
}

/** Totals of all nodes. Excludes the load balancer’s connections, which grow after slow moments. */
async function sample({ nodes, balancer, query }: Deployment): Promise<Sample> {
  const total = (of: (pid: number) => number) => nodes.reduce((sum, { pid }) => sum + of(pid), 0)
  const [row] = await query<{ open: number }>(
    `select count(*)::integer as open from pg_stat_activity where application_name = 'pullpress'`,
  )
  return {
    minutes: performance.now() / 60_000,
    mebibytes: total(residentBytes) / MIB,
    handles: total((pid) => readdirSync(`/proc/${pid}/fd`).length) - balancer.connections(),
    connections: row?.open ?? 0,
  }
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** The median of the slopes between any two samples (Theil–Sen), which is robust against outliers. */
function slope(points: [number, number][]): number {
  const slopes = points.flatMap(([at, value], i) =>
    points.slice(i + 1).map(([later, other]) => (other - value) / (later - at)),
  )
  return slopes.toSorted((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0
}
