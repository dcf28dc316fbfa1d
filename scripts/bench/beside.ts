import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fill } from '../seed/fill.ts'
import type { Bench } from './bench.ts'
import { cpuOf, median } from './compare.ts'
import { openConnection } from './connection.ts'
import type { Settings } from './worker.ts'

const CLIENTS = 50
const READERS = 200
const CONNECTIONS = 8
/** The time between two requests of one connection. */
const INTERVAL_MS = 40
const ALONE_MS = 5000
const ROUNDS = 5

export const benchMcp = (bench: Bench) => benchBeside(bench, 'mcpReader', '50 MCP clients, a read a second each')
export const benchWriting = (bench: Bench) => benchBeside(bench, 'writer', 'articles being written')

/** Measures reads of articles and rankings at a steady rate, alone and beside the work of a separate process. */
async function benchBeside({ db, start }: Bench, file: 'mcpReader' | 'writer', what: string): Promise<void> {
  const { sample, tokens } = await fill(db, { likes: 10_000, users: 1000, sessions: CLIENTS + READERS })
  const articleIds = sample.map(({ articleId }) => articleId)
  // With the lowest priority, all threads of the clients get only the CPU time that the service leaves.
  const lowest = { execPath: 'nice', execArgv: ['-n', '19', process.execPath] }
  const worker = fork(new URL(`./${file}.ts`, import.meta.url), file === 'mcpReader' ? lowest : {})
  const exited = once(worker, 'exit').then(() => Promise.reject(new Error('The worker exited.')))
  exited.catch(() => {})
  const answer = () => Promise.race([once(worker, 'message'), exited])
  const [{ env }] = (await answer()) as [{ env: NodeJS.ProcessEnv }]
  const server = await start('pullpress', 'ourServer', env)
  const url = `http://127.0.0.1:${server.port}`
  worker.send({ url, articleIds, tokens: tokens.slice(0, CLIENTS) } satisfies Settings)
  await answer()

  async function measure(work: () => Promise<unknown>) {
    const cpuBefore = await cpuOf(server)
    const started = performance.now()
    const latencies = await readWhile(work(), server.port, articleIds, tokens.slice(CLIENTS))
    const seconds = (performance.now() - started) / 1000
    latencies.sort((a, b) => a - b)
    const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
    return { p50: at(0.5), p99: at(0.99), seconds, cpuSeconds: ((await cpuOf(server)) - cpuBefore) / 1e6 }
  }

  const rounds: (Awaited<ReturnType<typeof measure>> & { aloneP50: number; aloneP99: number; cpuMs: number })[] = []
  let done = 0
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const alone = await measure(() => sleep(ALONE_MS))
    const beside = await measure(async () => {
      worker.send({})
      ;[{ done }] = (await answer()) as [{ done: number }]
    })
    const cpuMs = (1000 * (beside.cpuSeconds - (alone.cpuSeconds * beside.seconds) / alone.seconds)) / done
    if (round > 0) rounds.push({ ...beside, aloneP50: alone.p50, aloneP99: alone.p99, cpuMs })
  }
  worker.disconnect()
  const of = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure))
  const rate = (1000 / INTERVAL_MS) * CONNECTIONS
  console.log(`\nOther requests, ${rate} a second, beside ${what}: ${ROUNDS} rounds of ${done}; medians.\n`)
  console.log(
    '| | p50 ms | alone | p99 ms | alone | ratio of p99 | a second | server CPU ms each |\n|---|---:|---:|---:|---:|---:|---:|---:|',
  )
  const cells = [
    ...[of(({ p50 }) => p50), of(({ aloneP50 }) => aloneP50), of(({ p99 }) => p99), of(({ aloneP99 }) => aloneP99)],
    ...[of(({ p99, aloneP99 }) => p99 / aloneP99), of(({ seconds }) => done / seconds), of(({ cpuMs }) => cpuMs)],
  ]
  console.log(`| ${[what, ...cells.map((cell) => cell.toFixed(2))].join(' | ')} |`)
}

/** Reads articles and rankings at fixed times, so that slow responses do not lower the rate of the requests. */
async function readWhile(working: Promise<unknown>, port: number, articleIds: string[], tokens: string[]) {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)))
  const latencies: number[] = []
  const started = performance.now()
  let isOver = false
  let next = 0
  const reading = connections.map(async (connection, i) => {
    for (let due = started + (i * INTERVAL_MS) / CONNECTIONS; !isOver; due += INTERVAL_MS) {
      await sleep(Math.max(0, due - performance.now()))
      const n = next++
      const article = `/articles/${articleIds[n % articleIds.length]}`
      const path = n % 2 === 0 ? article : '/ranking/articles/likes?period=weekly'
      const sent = Math.min(due + 1, performance.now())
      const { status, body } = await connection.send({ path, token: tokens[n % tokens.length] })
      latencies.push(performance.now() - sent)
      if (status !== 200) throw new Error(`${status} for ${path}: ${body}`)
    }
    connection.close()
  })
  await working.finally(() => {
    isOver = true
  })
  await Promise.all(reading)
  return latencies
}
