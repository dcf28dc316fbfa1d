import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/db/engine/open.ts'
import { Secret } from '../../src/lib/secret.ts'
import { startLoad } from './load.ts'
import type { Scenario } from './table.ts'

const PER_SECOND = 200
const LOAD = `${PER_SECOND}/s`
const KILL_MS = 5000
const SETTLE = 3000

/** A node killed every five seconds, and started again. */
export const nodesKilled: Scenario = async (world, seconds) => {
  const load = startLoad(world, PER_SECOND)
  await sleep(SETTLE)
  const started = performance.now()
  let last = Promise.resolve()
  let lastButOne = last
  let kills = 0
  for (; performance.now() - started < seconds * 1000; kills++) {
    const place = kills % world.nodes.length
    // One of the three always stands, however long they take to start.
    await lastButOne
    await world.stopNode(place, 'SIGKILL')
    lastButOne = last
    last = world.startNode(place)
    await sleep(Math.max(0, started + (kills + 1) * KILL_MS - performance.now()))
  }
  await Promise.all([lastButOne, last])
  const report = await load.stop()
  const isOften = kills >= (seconds * 1000) / KILL_MS
  const isGood = isOften && report.lost === 0 && report.errors / report.requests < 0.001 && world.exits.length === 0
  const fault = `a node of three killed (-9) every 5 s for ${seconds} s`
  return { fault, load: LOAD, report, isGood, seen: [`${kills} kills`, ...world.exits].join('; ') }
}

/** One after the other asked to leave, and started again. */
export const nodesRestarted: Scenario = async (world) => {
  const repeated = world.front.repeats()
  const load = startLoad(world, PER_SECOND)
  await sleep(SETTLE)
  for (const place of world.nodes.keys()) {
    await world.stopNode(place, 'SIGTERM')
    await world.startNode(place)
    await sleep(1000)
  }
  const report = await load.stop()
  const repeats = world.front.repeats() - repeated
  const isUnnoticed = report.errors + repeats + Object.keys(report.statuses).length === 0
  const isGood = report.lost === 0 && isUnnoticed && world.exits.length === 0
  const seen = [`${repeats} connections broken`, ...world.exits].join('; ')
  return { fault: 'three nodes restarted in turn (SIGTERM)', load: LOAD, report, isGood, seen }
}

export const loggedOut: Scenario = async (world) => {
  const token = world.host.token('leaver')
  const headers = { authorization: `Bearer ${token}` }
  const ask = (place: number, path: string, method = 'GET') =>
    fetch(`${world.nodes[place]?.url}${path}`, { method, headers }).then(({ status }) => status)
  const before = [await ask(0, '/auth/signup', 'POST')]
  for (const place of world.nodes.keys()) before.push(await ask(place, '/users/me'))
  before.push(await ask(0, '/auth/logout', 'POST'))
  const started = performance.now()
  const statuses = await Promise.all([...world.nodes.keys()].map((place) => ask(place, '/users/me')))
  const milliseconds = Math.round(performance.now() - started)
  const wasIn = before.every((status) => status === 200 || status === 201)
  const isGood = wasIn && statuses.every((status) => status === 401) && milliseconds < 1000
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
