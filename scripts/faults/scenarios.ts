import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../../src/db/open.ts'
import { Secret } from '../../src/secret.ts'
import { startLoad } from './load.ts'
import type { Row } from './table.ts'
import type { World } from './world.ts'

const PER_SECOND = 200
const LOAD = `${PER_SECOND}/s`
const RECOVERY_SECONDS = 5
const SETTLE = 3000

export type Scenario = (world: World, seconds: number) => Promise<Row>

/** A node killed every five seconds, and started again. */
export const nodesKilled: Scenario = async (world, seconds) => {
  const load = startLoad(world, PER_SECOND)
  await sleep(SETTLE)
  const until = performance.now() + seconds * 1000
  for (let place = 0; performance.now() < until; place = (place + 1) % world.nodes.length) {
    const next = performance.now() + 5000
    await world.stopNode(place, 'SIGKILL')
    await world.startNode(place)
    await sleep(Math.max(0, next - performance.now()))
  }
  const report = await load.stop()
  const isGood = report.lost === 0 && report.errors / report.requests < 0.001
  return { fault: `a node of three killed (-9) every 5 s for ${seconds} s`, load: LOAD, report, isGood }
}

/** One after the other asked to leave, and started again. */
export const nodesRestarted: Scenario = async (world) => {
  const load = startLoad(world, PER_SECOND)
  await sleep(SETTLE)
  for (const place of world.nodes.keys()) {
    await world.stopNode(place, 'SIGTERM')
    await world.startNode(place)
    await sleep(1000)
  }
  const report = await load.stop()
  const isGood = report.lost === 0 && report.errors === 0 && Object.keys(report.statuses).length === 0
  return { fault: 'three nodes restarted in turn (SIGTERM)', load: LOAD, report, isGood }
}

/** A fault for a while, and how long it takes until all is well again. */
async function during(world: World, fault: string, work: () => Promise<unknown>, times = 1): Promise<Row> {
  const load = startLoad(world, PER_SECOND)
  await sleep(SETTLE)
  let recovery = 0
  for (let time = 0; time < times; time++) {
    await work()
    recovery = Math.max(recovery, await secondsUntilSound(load))
    await sleep(SETTLE)
  }
  const report = await load.stop()
  const onlyUnavailable = Object.keys(report.statuses).every((status) => status === '503')
  const isGood = report.lost === 0 && recovery <= RECOVERY_SECONDS && onlyUnavailable && world.exits.length === 0
  return { fault, load: LOAD, report, recovery, isGood, seen: world.exits.join('; ') }
}

/** Nothing that was asked from now on may fail; what was asked before may still. */
async function secondsUntilSound(load: ReturnType<typeof startLoad>): Promise<number> {
  const mended = performance.now()
  const quiet = 2000
  let soundFrom = mended
  while (performance.now() - soundFrom < quiet) {
    await sleep(50)
    const since = load.soundSince()
    if (since === undefined) soundFrom = performance.now()
    else soundFrom = Math.max(since, mended)
    if (performance.now() - mended > 60_000) break
  }
  return (soundFrom - mended) / 1000
}

export const backendsTerminated: Scenario = (world) =>
  during(
    world,
    'all Postgres backends terminated, 5 times',
    () =>
      world.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      ),
    5,
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
    3,
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
  during(world, 'every connection held for 30 s (sessions locked)', () =>
    holding(world, 30, 'lock table sessions in access exclusive mode'),
  )

export const rowLocked: Scenario = (world) =>
  during(world, 'a row locked for 60 s (an account)', () =>
    holding(world, 60, 'select from users where id = $1 for update', [world.users[0]?.id]),
  )

export const linkCut: Scenario = (world) =>
  during(world, 'network to Postgres cut for 5 s', async () => {
    world.link.cut()
    await sleep(5000)
    world.link.mend()
  })

export const linkSilent: Scenario = (world) =>
  during(world, 'network to Postgres half open for 10 s', async () => {
    world.link.silence()
    await sleep(10_000)
    world.link.mend()
  })

export const linkSlow: Scenario = (world) =>
  during(world, 'network to Postgres 50 ms slower for 10 s', async () => {
    world.link.slow(50)
    await sleep(10_000)
    world.link.mend()
  })

export const loggedOut: Scenario = async (world) => {
  const token = world.host.token('leaver')
  const headers = { authorization: `Bearer ${token}` }
  const ask = (place: number, path: string, method = 'GET') =>
    fetch(`${world.nodes[place]?.url}${path}`, { method, headers }).then(({ status }) => status)
  await ask(0, '/auth/signup', 'POST')
  for (const place of world.nodes.keys()) await ask(place, '/users/me')
  await ask(0, '/auth/logout', 'POST')
  const started = performance.now()
  const statuses = await Promise.all([...world.nodes.keys()].map((place) => ask(place, '/users/me')))
  const milliseconds = Math.round(performance.now() - started)
  const isGood = statuses.every((status) => status === 401) && milliseconds < 1000
  return { fault: 'logged out on one node', load: 'none', isGood, seen: `${statuses} on all after ${milliseconds} ms` }
}

export const migratedByMany: Scenario = async (world) => {
  const name = `migrated_${randomBytes(4).toString('hex')}`
  await world.query(`create database ${name}`)
  const url = world.cluster.url.replace(/\/postgres$/, `/${name}`)
  const nodes = await Promise.all(
    Array.from({ length: 100 }, () =>
      openDatabase({ databaseUrl: new Secret(url), dataDir: '', onConnectionError: () => {} }),
    ),
  )
  const started = performance.now()
  const applied = await Promise.all(nodes.map((node) => node.migrate()))
  const seconds = (performance.now() - started) / 1000
  await Promise.all(nodes.map((node) => node.close()))
  const names = applied.flat()
  const isGood = names.length > 0 && new Set(names).size === names.length
  const seen = `${names.length} migrations, each once, in ${seconds.toFixed(1)} s`
  return { fault: 'a hundred migrators at once', load: 'none', isGood, seen }
}
