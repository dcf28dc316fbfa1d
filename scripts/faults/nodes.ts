import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/db/engine/open.ts'
import { Secret } from '../../src/lib/secret.ts'
import { startLoad } from './load.ts'
import type { Scenario } from './table.ts'

const PER_SECOND = 200
const LOAD = `${PER_SECOND}/s`
const KILL_MS = 5000
const SETTLE_MS = 3000

/** Kills a node every five seconds and starts it again. */
export const nodesKilled: Scenario = async (world, seconds) => {
  const load = startLoad(world, PER_SECOND)
  await sleep(SETTLE_MS)
  const started = performance.now()
  let last = Promise.resolve()
  let lastButOne = last
  let kills = 0
  for (; performance.now() - started < seconds * 1000; kills++) {
    const index = kills % world.nodes.length
    // At least one of three nodes keeps running, however long they take to start.
    await lastButOne
    await world.stopNode(index, 'SIGKILL')
    lastButOne = last
    last = world.startNode(index)
    await sleep(Math.max(0, started + (kills + 1) * KILL_MS - performance.now()))
  }
  await Promise.all([lastButOne, last])
  const report = await load.stop()
  const isOften = kills >= (seconds * 1000) / KILL_MS
  const isGood = isOften && report.lost === 0 && report.errors / report.requests < 0.001 && world.exits.length === 0
  const fault = `one of three nodes killed (-9) every 5 s for ${seconds} s`
  return { fault, load: LOAD, report, isGood, seen: [`${kills} kills`, ...world.exits].join('; ') }
}

/** Restarts the nodes one after the other with SIGTERM. */
export const nodesRestarted: Scenario = async (world) => {
  const retriesBefore = world.front.retries()
  const load = startLoad(world, PER_SECOND)
  await sleep(SETTLE_MS)
  for (const index of world.nodes.keys()) {
    await world.stopNode(index, 'SIGTERM')
    await world.startNode(index)
    await sleep(1000)
  }
  const report = await load.stop()
  const retries = world.front.retries() - retriesBefore
  const isUnnoticed = report.errors + retries + Object.keys(report.statuses).length === 0
  const isGood = report.lost === 0 && isUnnoticed && world.exits.length === 0
  const seen = [`${retries} connections broken`, ...world.exits].join('; ')
  return { fault: 'three nodes restarted in turn (SIGTERM)', load: LOAD, report, isGood, seen }
}

export const loggedOut: Scenario = async (world) => {
  const token = world.host.token('leaver')
  const headers = { authorization: `Bearer ${token}` }
  const ask = (index: number, path: string, method = 'GET') =>
    fetch(`${world.nodes[index]?.url}${path}`, { method, headers }).then(({ status }) => status)
  const before = [await ask(0, '/auth/signup', 'POST')]
  for (const index of world.nodes.keys()) before.push(await ask(index, '/users/me'))
  before.push(await ask(0, '/auth/logout', 'POST'))
  const started = performance.now()
  const statuses = await Promise.all([...world.nodes.keys()].map((index) => ask(index, '/users/me')))
  const milliseconds = Math.round(performance.now() - started)
  const wasIn = before.every((status) => status === 200 || status === 201)
  const isGood = wasIn && statuses.every((status) => status === 401) && milliseconds < 1000
  return {
    fault: 'logout on one node',
    load: 'none',
    isGood,
    seen: `${statuses} on all nodes after ${milliseconds} ms`,
  }
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
  return { fault: '100 concurrent migrators', load: 'none', isGood, seen }
}
