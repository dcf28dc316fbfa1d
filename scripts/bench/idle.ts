import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startProcess } from '../../test/support/process.ts'
import type { Bench } from './bench.ts'

const SETTLE_MS = 75_000
const MINUTES = 3
const SAMPLE_MS = 5000
const TICKS_PER_SECOND = 100

/** Measures the CPU share of an idle node: on Postgres including its backends, and on the embedded database. */
export async function benchIdle({ db, env }: Bench): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pullpress-bench-'))
  const { DATABASE_URL: _, ...embedded } = env
  const nodes = await Promise.all([startProcess(env), startProcess({ ...embedded, DATA_DIR: dataDir })])
  const backends = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    return rows.map(({ pid }) => pid)
  }
  try {
    const [node, alone] = nodes
    await sleep(SETTLE_MS)
    const shares = await Promise.all([cpuShare(() => [node.pid]), cpuShare(backends), cpuShare(() => [alone.pid])])
    const cells = shares.map((share) => (100 * share).toFixed(2))
    console.log(`\nIdle node, ${MINUTES} minutes: % of a core.\n`)
    console.log('| node on Postgres | its Postgres backends | node on the embedded database |\n|---:|---:|---:|')
    console.log(`| ${cells.join(' | ')} |`)
  } finally {
    await Promise.all(nodes.map((started) => started.kill('SIGTERM')))
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** CPU time of processes over wall-clock time; a process that starts later counts from its start. */
async function cpuShare(pids: () => number[] | Promise<number[]>): Promise<number> {
  const started = performance.now()
  const before = ticksOf(await pids())
  const last = new Map(before)
  while (performance.now() - started < MINUTES * 60_000) {
    await sleep(SAMPLE_MS)
    for (const [pid, ticks] of ticksOf(await pids())) last.set(pid, ticks)
  }
  const ticks = last.entries().reduce((sum, [pid, count]) => sum + count - (before.get(pid) ?? 0), 0)
  return ticks / TICKS_PER_SECOND / ((performance.now() - started) / 1000)
}

/** User and system time of each process that still exists. */
function ticksOf(pids: number[]): Map<number, number> {
  const existing = pids.filter((pid) => existsSync(`/proc/${pid}/stat`))
  return new Map(
    existing.map((pid) => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [pid, Number(fields[11]) + Number(fields[12])]
    }),
  )
}
