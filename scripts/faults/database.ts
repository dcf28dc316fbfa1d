import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { watchHealth } from './health.ts'
import { startLoad } from './load.ts'
import type { Row, Scenario } from './table.ts'
import type { World } from './world.ts'

const PER_SECOND = 200
const LOAD = `${PER_SECOND}/s`
const RECOVERY_SECONDS = 5
const SETTLE_MS = 3000
/** How long to observe after a fault: longer than any wait for the database. */
const OBSERVE_MS = 12_000

interface FaultOptions {
  times?: number
  /** Whether the database is unreachable, so that every node must report not ready. */
  isDatabaseDown?: boolean
  /** Whether some requests must fail, as proof that the fault took effect. */
  mustCauseErrors?: boolean
}

/** Injects a fault under load and measures the time until recovery. */
async function during(
  world: World,
  fault: string,
  work: () => Promise<unknown>,
  options: FaultOptions = {},
): Promise<Row> {
  const { times = 1, isDatabaseDown = false, mustCauseErrors = isDatabaseDown } = options
  const load = startLoad(world, PER_SECOND)
  const health = watchHealth(world.nodes)
  await sleep(SETTLE_MS)
  let recovery = 0
  for (let time = 0; time < times; time++) {
    await work()
    const restoredAt = performance.now()
    await sleep(OBSERVE_MS)
    recovery = Math.max(recovery, (load.recoveredAt(restoredAt) - restoredAt) / 1000)
  }
  const { isAlive, isReady, isAnswered, wasEachUnready, seen } = await health.stop()
  const report = await load.stop()
  const onlyUnavailable = Object.keys(report.statuses).every((status) => status === '503')
  const isGood =
    report.lost === 0 &&
    recovery <= RECOVERY_SECONDS &&
    onlyUnavailable &&
    (!mustCauseErrors || (report.statuses[503] ?? 0) > 0) &&
    [isAlive, isReady, isAnswered, wasEachUnready || !isDatabaseDown].every(Boolean) &&
    world.exits.length === 0
  return { fault, load: LOAD, report, recovery, isGood, seen: [seen, ...world.exits].join('; ') }
}

export const backendsTerminated: Scenario = (world) =>
  during(
    world,
    'all Postgres backends terminated, 5 times',
    () =>
      world.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      ),
    { times: 5 },
  )

export const postgresKilled: Scenario = (world) =>
  during(
    world,
    'Postgres killed (-9) for 3 s, 3 times',
    async () => {
      await world.cluster.kill9()
      await sleep(3000)
      await world.cluster.start()
    },
    { times: 3, isDatabaseDown: true },
  )

/** Another transaction holds a lock for a while. */
async function holdLock(world: World, seconds: number, statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: world.cluster.url })
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  await sleep(seconds * 1000)
  await client.query('rollback')
  await client.end()
}

export const poolHeld: Scenario = (world) =>
  during(
    world,
    'connection pool exhausted for 30 s (sessions table locked)',
    () => holdLock(world, 30, 'lock table sessions in access exclusive mode'),
    { mustCauseErrors: true },
  )

export const rowLocked: Scenario = (world) =>
  during(
    world,
    'a user row locked for 60 s',
    () => holdLock(world, 60, 'select from users where id = $1 for update', [world.users[0]?.id]),
    { mustCauseErrors: true },
  )

export const linkCut: Scenario = (world) =>
  during(
    world,
    'network to Postgres cut for 5 s',
    async () => {
      world.link.cut()
      await sleep(5000)
      world.link.restore()
    },
    { isDatabaseDown: true },
  )

export const linkSilent: Scenario = (world) =>
  during(
    world,
    'connections to Postgres half open for 20 s',
    async () => {
      world.link.silence()
      await sleep(20_000)
      world.link.restore()
    },
    { isDatabaseDown: true },
  )

export const linkSlow: Scenario = (world) =>
  during(world, 'network to Postgres with 50 ms more latency for 10 s', async () => {
    world.link.slow(50)
    await sleep(10_000)
    world.link.restore()
  })
