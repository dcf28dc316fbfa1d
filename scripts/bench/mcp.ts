import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fill } from '../seed/fill.ts'
import type { Bench } from './bench.ts'
import { cpuOf, median, type Side } from './compare.ts'
import { type Ask, type Connection, openConnection } from './connection.ts'
import type { Done, Order, Start, Work } from './mcpClients.ts'
import { COMMONEST, drawQueries } from './search.ts'
import { addTexts } from './searchTexts.ts'
import { cpuTimes, stolenSince } from './stolen.ts'

const LIKES = 10_000
const TEXTS = 2000
const CLIENTS = 50
const READERS = 200
const CONNECTIONS = 8
/** For each connection. */
const INTERVAL_MS = 40
const PHASE_MS = 5000
const ROUNDS = 5
const MAX_TRIES = 3 * ROUNDS
/** Of the CPU time, by other machines on the same host. */
const MAX_STOLEN = 0.003

/** What 50 clients do while other requests are measured. The same calls through the API show what MCP itself adds. */
const PHASES: Record<string, Work | undefined> = {
  alone: undefined,
  'MCP, reading': { via: 'mcp', searches: false, pauseMs: 1000 },
  'MCP, reading and searching': { via: 'mcp', searches: true, pauseMs: 1000 },
  'API, reading and searching': { via: 'api', searches: true, pauseMs: 1000 },
  'MCP, reading without pauses': { via: 'mcp', searches: false, pauseMs: 0 },
  'MCP, reading and searching without pauses': { via: 'mcp', searches: true, pauseMs: 0 },
}

interface Figures {
  p50: number
  p99: number
  done: Done | undefined
  seconds: number
  serverCpuMicroseconds: number
}

/** Measures reads of articles and rankings at a steady rate, alone and beside MCP clients in a process of their own. */
export async function benchMcp({ db, start }: Bench): Promise<void> {
  const { sample, tokens } = await fill(db, { likes: LIKES, users: 1000, sessions: CLIENTS + READERS })
  await addTexts(db, 0, TEXTS, () => {})
  const server = await start('pullpress', 'ourServer', { RATE_LIMITS: 'on' })
  const articleIds = sample.map(({ articleId }) => articleId)
  const clients = await startClients({
    ...{ url: `http://127.0.0.1:${server.port}`, articleIds, queries: drawQueries().slice(COMMONEST) },
    tokens: tokens.slice(0, CLIENTS),
  })
  const readers = tokens.slice(CLIENTS)
  const ask = (n: number): Ask => ({
    path: n % 2 === 0 ? `/articles/${articleIds[n % articleIds.length]}` : '/ranking/articles/likes?period=weekly',
    token: readers[n % readers.length],
  })
  const measured = Object.keys(PHASES).map((): Figures[] => [])
  try {
    let round = 0
    for (let tries = 0; round <= ROUNDS && tries < MAX_TRIES; tries++) {
      const before = cpuTimes()
      const figures: Figures[] = []
      for (const doing of Object.values(PHASES)) figures.push(await measure(server, clients, ask, doing))
      const share = stolenSince(before)
      if (share > MAX_STOLEN) {
        console.log(`Repeating a round in which ${(share * 100).toFixed(1)} % of the CPU time was stolen.`)
        continue
      }
      // The first round warms up.
      if (round > 0) for (const [i, one] of figures.entries()) measured[i]?.push(one)
      round += 1
    }
  } finally {
    clients.disconnect()
  }
  print(measured)
}

async function startClients(settings: Start): Promise<ChildProcess> {
  const child = fork(new URL('./mcpClients.ts', import.meta.url), [JSON.stringify(settings)])
  await once(child, 'message')
  return child
}

async function tell(clients: ChildProcess, order: Order): Promise<Done> {
  clients.send(order)
  const [done] = (await once(clients, 'message')) as [Done]
  return done
}

async function measure(server: Side, clients: ChildProcess, ask: (n: number) => Ask, doing: Work | undefined) {
  if (doing) await tell(clients, doing)
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(server.port)))
  const cpuBefore = await cpuOf(server)
  const started = performance.now()
  const latencies: number[] = []
  let next = 0
  const work = async (connection: Connection, i: number) => {
    // At fixed times, so that a slow response does not thin out the requests after it.
    for (let due = started + (i * INTERVAL_MS) / CONNECTIONS; due < started + PHASE_MS; due += INTERVAL_MS) {
      await sleep(Math.max(0, due - performance.now()))
      const request = ask(next++)
      const sent = Math.min(due + 1, performance.now())
      const { status, body } = await connection.send(request)
      latencies.push(performance.now() - sent)
      if (status !== 200) throw new Error(`${status} for ${request.path}: ${body}`)
    }
  }
  await Promise.all(connections.map(work))
  const done = doing && (await tell(clients, 'stop'))
  const serverCpuMicroseconds = (await cpuOf(server)) - cpuBefore
  const seconds = (performance.now() - started) / 1000
  for (const connection of connections) connection.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99), done, seconds, serverCpuMicroseconds }
}

function print(measured: Figures[][]): void {
  const [alone = []] = measured
  const rate = (1000 / INTERVAL_MS) * CONNECTIONS
  console.log(
    `\nOther requests (${rate} a second), alone and beside ${CLIENTS} clients: ${alone.length} rounds; medians.\n`,
  )
  console.log(
    '| | p50 ms | ratio | p99 ms | ratio | calls/s | rate limited | server µs CPU/call | clients µs CPU/call |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|',
  )
  for (const [i, name] of Object.keys(PHASES).entries()) {
    const rounds = measured[i] ?? []
    const of = (figure: (round: Figures, alone: Figures) => number) =>
      median(rounds.map((round, n) => figure(round, alone[n] ?? round)))
    const perCall = (cpu: (round: Figures, alone: Figures) => number) =>
      of((round, other) => cpu(round, other) / (round.done?.calls || Number.NaN)).toFixed(0)
    const calls = rounds.map(({ done }) => done).filter((done) => done !== undefined)
    const limited = calls.reduce((sum, done) => sum + done.limited, 0)
    const total = calls.reduce((sum, done) => sum + done.calls, 0)
    const ofCalls =
      total === 0
        ? ['', '', '', '']
        : [
            of(({ done, seconds }) => (done?.calls ?? 0) / seconds).toFixed(0),
            `${limited} of ${total}`,
            perCall((round, other) => round.serverCpuMicroseconds - other.serverCpuMicroseconds),
            perCall(({ done }) => done?.cpuMicroseconds ?? 0),
          ]
    const cells = [
      name,
      of(({ p50 }) => p50).toFixed(2),
      of((round, other) => round.p50 / other.p50).toFixed(2),
      of(({ p99 }) => p99).toFixed(1),
      of((round, other) => round.p99 / other.p99).toFixed(2),
      ...ofCalls,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
