import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCollector } from './collector.ts'
import { startLoad } from './load.ts'
import type { Row } from './table.ts'
import type { World } from './world.ts'

const PER_SECOND = 200
const SAMPLES = 30
const MINUTE = 60
const MIB = 1024 * 1024

/** The process returns freed pages in the background. */
const PAGE_RELEASE_MS = 200
const MAX_MEBIBYTES = 1
const MAX_CONNECTIONS = 1
const MAX_HANDLES = 1

/**
 * Runs mixed load for a long time: memory, sockets and connections must not grow. Memory is measured right after
 * garbage collection, because uncollected garbage varies for minutes.
 */
export async function soaked(world: World, seconds: number): Promise<Row> {
  const load = startLoad(world, PER_SECOND)
  // Warm-up: caches fill and code is compiled.
  await sleep((seconds * 1000) / 4)
  const collectors = await Promise.all(world.nodes.map(openCollector))
  const samples: Sample[] = []
  const started = performance.now()
  for (let n = 0; n < SAMPLES; n++) {
    await sleep((seconds * 750) / SAMPLES)
    // One node after the other, to avoid a slow moment of all nodes.
    for (const { collect } of collectors) await collect()
    await sleep(PAGE_RELEASE_MS)
    samples.push({ at: (performance.now() - started) / 1000, ...(await sample(world)) })
  }
  for (const collector of collectors) collector.close()
  const report = await load.stop()
  const memory = slope(samples.map(({ at, bytes }) => [at, bytes / MIB])) * MINUTE
  const connections = slope(samples.map(({ at, open }) => [at, open])) * MINUTE
  const files = slope(samples.map(({ at, handles }) => [at, handles])) * MINUTE
  const [first, last] = [samples[0], samples.at(-1)]
  const isGood =
    report.lost === 0 &&
    report.errors === 0 &&
    world.exits.length === 0 &&
    memory < MAX_MEBIBYTES &&
    Math.abs(connections) < MAX_CONNECTIONS &&
    files < MAX_HANDLES
  const mebibytes = (sample: Sample | undefined) => Math.round((sample?.bytes ?? 0) / MIB)
  const seen = `resident ${mebibytes(first)} MiB → ${mebibytes(last)} MiB (${signed(memory)} MiB/min), handles ${last?.handles} (${signed(files)}), Postgres connections ${last?.open} (${signed(connections)})`
  return {
    fault: `no fault, soak for ${Math.round(seconds / MINUTE)} minutes`,
    load: `${PER_SECOND}/s`,
    report,
    seen,
    isGood,
  }
}

interface Sample {
  at: number
  bytes: number
  handles: number
  open: number
}

/** Totals of all nodes. Excludes the load balancer’s connections, which grow after slow moments. */
async function sample(world: World): Promise<Omit<Sample, 'at'>> {
  const pids = world.nodes.map((node) => node.pid)
  const bytes = pids.reduce((sum, pid) => sum + residentBytes(pid), 0)
  const handles = pids.reduce((sum, pid) => sum + openHandles(pid), 0) - world.front.connections()
  const [row] = await world.query<{ open: number }>(
    `select count(*)::integer as open from pg_stat_activity where application_name = 'pullpress'`,
  )
  return { bytes, handles, open: row?.open ?? 0 }
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

function openHandles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** The median of the slopes between any two samples (Theil–Sen), which is robust against outliers. */
function slope(points: [number, number][]): number {
  const slopes = points.flatMap(([at, value], i) =>
    points.slice(i + 1).map(([later, other]) => (other - value) / (later - at)),
  )
  return slopes.toSorted((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(2)}`
}
