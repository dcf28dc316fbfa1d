import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'

export interface Others {
  port: number
  articleIds: string[]
  tokens: string[]
  connections: number
  /** For each connection. */
  intervalMs: number
}

/** How long to send requests. */
export interface Phase {
  ms: number
}

export interface Latencies {
  latencies: number[]
}

/** A process of its own, so that the work of the bench itself delays no request. */
const { port, articleIds, tokens, connections, intervalMs }: Others = JSON.parse(process.argv[2] ?? '')
let next = 0

process.on('disconnect', () => process.exit())
process.on('message', async ({ ms }: Phase) => {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const started = performance.now()
  const latencies = await Promise.all(
    open.map((connection, i) => work(connection, started + (i * intervalMs) / connections, started + ms)),
  )
  for (const connection of open) connection.close()
  process.send?.({ latencies: latencies.flat() } satisfies Latencies)
})
process.send?.({})

/** Reads articles and rankings at fixed times, so that a slow response does not thin out the requests after it. */
async function work(connection: Connection, start: number, end: number): Promise<number[]> {
  const latencies: number[] = []
  for (let due = start; due < end; due += intervalMs) {
    await sleep(Math.max(0, due - performance.now()))
    const n = next++
    const path =
      n % 2 === 0 ? `/articles/${articleIds[n % articleIds.length]}` : '/ranking/articles/likes?period=weekly'
    const sent = Math.min(due + 1, performance.now())
    const { status, body } = await connection.send({ path, token: tokens[n % tokens.length] })
    latencies.push(performance.now() - sent)
    if (status !== 200) throw new Error(`${status} for ${path}: ${body}`)
  }
  return latencies
}
