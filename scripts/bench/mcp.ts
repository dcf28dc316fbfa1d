import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fill } from '../seed/fill.ts'
import type { Bench } from './bench.ts'
import { cpuOf, median, type Side } from './compare.ts'
import type { Done, Order, Start, Work } from './mcpClients.ts'
import type { Latencies, Others, Phase } from './otherRequests.ts'
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

/** Measures reads of articles and rankings at a steady rate, alone and beside MCP clients. */
export async function benchMcp({ db, start }: Bench): Promise<void> {
  const { sample, tokens } = await fill(db, { likes: LIKES, users: 1000, sessions: CLIENTS + READERS })
  await addTexts(db, 0, TEXTS, () => {})
  const server = await start('pullpress', 'ourServer', { RATE_LIMITS: 'on' })
  const articleIds = sample.map(({ articleId }) => articleId)
  const url = `http://127.0.0.1:${server.port}`
  const queries = drawQueries().slice(COMMONEST)
  const clients = await startChild<Start>('mcpClients', { url, articleIds, queries, tokens: tokens.slice(0, CLIENTS) })
  const others = await startChild<Others>('otherRequests', {
    ...{ port: server.port, articleIds, tokens: tokens.slice(CLIENTS) },
    ...{ connections: CONNECTIONS, intervalMs: INTERVAL_MS },
  })
  const measured = Object.keys(PHASES).map((): Figures[] => [])
  try {
    let round = 0
    for (let tries = 0; round <= ROUNDS && tries < MAX_TRIES; tries++) {
      const before = cpuTimes()
      const figures: Figures[] = []
      for (const doing of Object.values(PHASES)) figures.push(await measure(server, clients, others, doing))
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
    others.disconnect()
  }
  print(measured)
}

/** Processes of their own, so that the work of the bench itself delays nothing. */
async function startChild<Settings>(file: 'mcpClients' | 'otherRequests', settings: Settings): Promise<ChildProcess> {
  // The servers come first: with the lowest priority, all threads of the clients get only the CPU time that is left.
  const lowest = { execPath: 'nice', execArgv: ['-n', '19', process.execPath] }
  const options = file === 'mcpClients' ? lowest : {}
  const child = fork(new URL(`./${file}.ts`, import.meta.url), [JSON.stringify(settings)], options)
  await once(child, 'message')
  return child
}

async function tell<Said extends Order | Phase, Told extends Done | Latencies>(child: ChildProcess, what: Said) {
  child.send(what)
  const [told] = (await once(child, 'message')) as [Told]
  return told
}

async function measure(server: Side, clients: ChildProcess, others: ChildProcess, doing: Work | undefined) {
  if (doing) await tell<Order, Done>(clients, doing)
  const cpuBefore = await cpuOf(server)
  const started = performance.now()
  const { latencies } = await tell<Phase, Latencies>(others, { ms: PHASE_MS })
  const done = doing && (await tell<Order, Done>(clients, 'stop'))
  const serverCpuMicroseconds = (await cpuOf(server)) - cpuBefore
  const seconds = (performance.now() - started) / 1000
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
