import { availableParallelism } from 'node:os'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { type Ask, type Connection, openConnection } from '../bench/connection.ts'

const AT_PEAK = 48
const MAX_CONNECTIONS = 1500

/** To wake whoever asks would cost those who answer, much so on a virtual machine: on a core of its own it never sleeps. */
const pause = availableParallelism() > 1 ? () => setImmediate() : () => sleep(1)

export interface Figures {
  good: Answer[]
  refused: Answer[]
  /** Refusals that do not say when to come again. */
  mute: number
  failed: number
  asked: number
  perSecond: number
}

export interface Answer {
  /** When it was asked for, since the beginning. */
  at: number
  milliseconds: number
}

export type Pool = ReturnType<typeof createPool>

/** Connections that are kept open and the last used first, as by a proxy. */
export function createPool(port: number) {
  const free: Connection[] = []
  let taken = 0
  return {
    /** Undefined where there are more requests under way than anybody would allow. */
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

/** As fast as some connections can, one request after the other on each. */
export async function closedLoop(pool: Pool, ask: () => Ask, milliseconds: number): Promise<Figures> {
  const figures = noFigures()
  const started = performance.now()
  const isOver = () => performance.now() - started >= milliseconds
  const asking = Array.from({ length: AT_PEAK }, async () => {
    const connection = await pool.take()
    if (!connection) return
    while (!isOver()) await send(connection, ask(), figures, { asked: performance.now(), since: started })
    pool.give(connection)
  })
  while (!isOver()) await pause()
  await Promise.all(asking)
  figures.perSecond = (figures.good.length * 1000) / milliseconds
  return figures
}

/** So many a second, whatever becomes of them. */
export async function openLoop(pool: Pool, ask: () => Ask, perSecond: number, milliseconds: number): Promise<Figures> {
  const figures = noFigures()
  const underWay = new Set<Promise<void>>()
  const started = performance.now()
  async function once(): Promise<void> {
    const asked = performance.now()
    const connection = await pool.take()
    if (!connection) return
    await send(connection, ask(), figures, { asked, since: started }).finally(() => pool.give(connection))
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
  return { good: [], refused: [], mute: 0, failed: 0, asked: 0, perSecond: 0 }
}

interface Times {
  asked: number
  since: number
}

async function send(connection: Connection, ask: Ask, figures: Figures, { asked, since }: Times): Promise<void> {
  figures.asked += 1
  const { status, head } = await connection.send(ask)
  if (status !== 503 && status !== 200) throw new Error(`An answer of ${status}.`)
  const list = status === 503 ? figures.refused : figures.good
  list.push({ at: asked - since, milliseconds: performance.now() - asked })
  if (status === 503 && !/\r\nretry-after: \d/i.test(head)) figures.mute += 1
}

export function percentile(answers: Answer[], share: number): number {
  const sorted = answers.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
