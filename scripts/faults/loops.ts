import { availableParallelism } from 'node:os'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { type Ask, type Connection, openConnection } from '../bench/connection.ts'

const PEAK_CONNECTIONS = 48
const MAX_CONNECTIONS = 1500

/** On its own core the loop never sleeps: waking it up would cost CPU, especially on a virtual machine. */
const pause = availableParallelism() > 1 ? () => setImmediate() : () => sleep(1)

export interface Figures {
  good: Answer[]
  refused: Answer[]
  /** Refusals without Retry-After. */
  withoutRetryAfter: number
  failed: number
  sent: number
  perSecond: number
}

export interface Answer {
  /** When it was sent, since the start. */
  at: number
  milliseconds: number
}

export type Pool = ReturnType<typeof createPool>

/** Keep-alive connections, most recently used first, like a proxy. */
export function createPool(port: number) {
  const free: Connection[] = []
  let taken = 0
  return {
    /** Undefined if too many requests are active. */
    async take(): Promise<Connection | undefined> {
      let connection = free.pop()
      while (connection && !connection.isOpen) connection = free.pop()
      if (!connection && taken >= MAX_CONNECTIONS) return undefined
      taken += 1
      return connection ?? openConnection(port)
    },
    give(connection: Connection): void {
      taken -= 1
      free.push(connection)
    },
    close(): void {
      for (const connection of free) connection.close()
    },
  }
}

/** Sends requests one after the other on a fixed number of connections, as fast as possible. */
export async function closedLoop(pool: Pool, ask: () => Ask, milliseconds: number): Promise<Figures> {
  const figures = noFigures()
  const started = performance.now()
  const isOver = () => performance.now() - started >= milliseconds
  const asking = Array.from({ length: PEAK_CONNECTIONS }, async () => {
    const connection = await pool.take()
    if (!connection) return
    while (!isOver()) await send(connection, ask(), figures, { sent: performance.now(), since: started })
    pool.give(connection)
  })
  while (!isOver()) await pause()
  await Promise.all(asking)
  figures.perSecond = (figures.good.length * 1000) / milliseconds
  return figures
}

/** Sends requests at a fixed rate, regardless of responses. */
export async function openLoop(pool: Pool, ask: () => Ask, perSecond: number, milliseconds: number): Promise<Figures> {
  const figures = noFigures()
  const underWay = new Set<Promise<void>>()
  const started = performance.now()
  async function once(): Promise<void> {
    const sent = performance.now()
    const connection = await pool.take()
    if (!connection) return
    await send(connection, ask(), figures, { sent, since: started }).finally(() => pool.give(connection))
  }
  for (let sent = 0; performance.now() - started < milliseconds; ) {
    const due = (Math.floor(performance.now() - started) * perSecond) / 1000
    for (; sent < due; sent++) {
      const doing = once()
        .catch(() => {
          figures.failed += 1
        })
        .finally(() => underWay.delete(doing))
      underWay.add(doing)
    }
    await pause()
  }
  figures.perSecond = (figures.good.length * 1000) / (performance.now() - started)
  await Promise.all(underWay)
  return figures
}

function noFigures(): Figures {
  return { good: [], refused: [], withoutRetryAfter: 0, failed: 0, sent: 0, perSecond: 0 }
}

interface Times {
  sent: number
  since: number
}

async function send(connection: Connection, ask: Ask, figures: Figures, { sent, since }: Times): Promise<void> {
  figures.sent += 1
  const { status, head } = await connection.send(ask)
  if (status !== 503 && status !== 200) throw new Error(`Unexpected status ${status}.`)
  const list = status === 503 ? figures.refused : figures.good
  list.push({ at: sent - since, milliseconds: performance.now() - sent })
  if (status === 503 && !/\r\nretry-after: \d/i.test(head)) figures.withoutRetryAfter += 1
}

export function percentile(answers: Answer[], share: number): number {
  const sorted = answers.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
