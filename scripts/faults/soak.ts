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

/** Pages that have become free are given back by the side. */
const GIVEN_BACK_MS = 200
const MAX_MEBIBYTES = 1
const MAX_CONNECTIONS = 1
const MAX_HANDLES = 1

/**
 * Mixed load for long: memory, sockets and connections must stay as they are. Memory is looked at when garbage has just
 * been collected: how much of that lies about otherwise goes up and down for minutes, as V8 sees fit.
 */
export async function soaked(world: World, seconds: number): Promise<Row> {
  const load = startLoad(world, PER_SECOND)
  // Caches fill and code is compiled at first.
  await sleep((seconds * 1000) / 4)
  const collectors = await Promise.all(world.nodes.map(openCollector))
  const samples: Sample[] = []
  const started = performance.now()
  for (let n = 0; n < SAMPLES; n++) {
    await sleep((seconds * 750) / SAMPLES)
    // One after the other: together they would be a slow moment of their own.
    for (const { collect } of collectors) await collect()
    await sleep(GIVEN_BACK_MS)
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
  const mebibytes = (one: Sample | undefined) => Math.round((one?.bytes ?? 0) / MIB)
  const seen = `resident ${mebibytes(first)} MiB, then ${mebibytes(last)} MiB (${signed(memory)} a minute), handles ${last?.handles} (${signed(files)}), Postgres connections ${last?.open} (${signed(connections)})`
  return {
    fault: `nothing, for ${Math.round(seconds / MINUTE)} minutes`,
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

/** Of all nodes together. Connections that the front keeps to them are its own: after a slow moment there are more. */
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

/** The median of the slopes between any two samples (Theil and Sen): single steps do not bend it. */
function slope(points: [number, number][]): number {
  const slopes = points.flatMap(([at, value], i) =>
    points.slice(i + 1).map(([later, other]) => (other - value) / (later - at)),
  )
  return slopes.toSorted((one, other) => one - other)[Math.floor(slopes.length / 2)] ?? 0
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(2)}`
}
