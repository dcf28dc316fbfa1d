import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { watchHealth } from './health.ts'
import { startLoad } from './load.ts'
import type { Row, Scenario } from './table.ts'
import type { World } from './world.ts'

const PER_SECOND = 200
const LOAD = `${PER_SECOND}/s`
const RECOVERY_SECONDS = 5
const SETTLE = 3000
/** How long after a fault it is watched whether all is well: longer than anything waits for the database. */
const WATCHED = 12_000

interface Manner {
  times?: number
  /** Whether nobody can have been served by the database meanwhile: then every node says that it is not ready. */
  isDatabaseAway?: boolean
  /** Whether somebody must have felt it, or it was no fault. */
  isFelt?: boolean
}

/** A fault for a while, and how long it takes until all is well again. */
async function during(world: World, fault: string, work: () => Promise<unknown>, manner: Manner = {}): Promise<Row> {
  const { times = 1, isDatabaseAway = false, isFelt = isDatabaseAway } = manner
  const load = startLoad(world, PER_SECOND)
  const health = watchHealth(world.nodes)
  await sleep(SETTLE)
  let recovery = 0
  for (let time = 0; time < times; time++) {
    await work()
    const mended = performance.now()
    await sleep(WATCHED)
    recovery = Math.max(recovery, (load.soundSince(mended) - mended) / 1000)
  }
  const { isAlive, isReady, isTold, wasEachUnready, seen } = await health.stop()
  const report = await load.stop()
  const onlyUnavailable = Object.keys(report.statuses).every((status) => status === '503')
  const isGood =
    report.lost === 0 &&
    recovery <= RECOVERY_SECONDS &&
    onlyUnavailable &&
    (!isFelt || (report.statuses[503] ?? 0) > 0) &&
    [isAlive, isReady, isTold, wasEachUnready || !isDatabaseAway].every(Boolean) &&
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
    { times: 3, isDatabaseAway: true },
  )

/** Somebody else's transaction holds something for a while. */
async function holding(world: World, seconds: number, statement: string, values: unknown[] = []): Promise<void> {
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
    'every connection held for 30 s (sessions locked)',
    () => holding(world, 30, 'lock table sessions in access exclusive mode'),
    { isFelt: true },
  )

export const rowLocked: Scenario = (world) =>
  during(
    world,
    'a row locked for 60 s (an account)',
    () => holding(world, 60, 'select from users where id = $1 for update', [world.users[0]?.id]),
    { isFelt: true },
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
    { isDatabaseAway: true },
  )

export const linkSilent: Scenario = (world) =>
  during(
    world,
    'network to Postgres half open for 20 s',
    async () => {
      world.link.silence()
      await sleep(20_000)
      world.link.restore()
    },
    { isDatabaseAway: true },
  )

export const linkSlow: Scenario = (world) =>
  during(world, 'network to Postgres 50 ms slower for 10 s', async () => {
    world.link.slow(50)
    await sleep(10_000)
    world.link.restore()
  })
