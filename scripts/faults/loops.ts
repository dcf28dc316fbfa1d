import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, type Connection, openConnection } from '../../test/bench/connection.ts'

const AT_PEAK = 48
/** Kept open, as by a proxy: more than there can be requests under way. */
const CONNECTIONS = 1500

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

/** As fast as so many connections can, one request after the other on each. */
export async function closedLoop(port: number, ask: () => Ask, milliseconds: number): Promise<Figures> {
  const figures = noFigures()
  const started = performance.now()
  await Promise.all(
    Array.from({ length: AT_PEAK }, async () => {
      const connection = await openConnection(port)
      while (performance.now() - started < milliseconds)
        await send(connection, ask(), figures, { asked: performance.now(), since: started })
      connection.close()
    }),
  )
  figures.perSecond = (figures.good.length * 1000) / milliseconds
  return figures
}

/** So many a second, whatever becomes of them. */
export async function openLoop(
  port: number,
  ask: () => Ask,
  perSecond: number,
  milliseconds: number,
): Promise<Figures> {
  const figures = noFigures()
  const free: Connection[] = []
  for (let n = 0; n < CONNECTIONS; n++) free.push(await openConnection(port))
  const underWay = new Set<Promise<void>>()
  const started = performance.now()
  async function once(): Promise<void> {
    const connection = free.pop()
    if (!connection) return
    await send(connection, ask(), figures, { asked: performance.now(), since: started })
    free.push(connection)
  }
  for (let sent = 0; performance.now() - started < milliseconds; ) {
    const due = ((performance.now() - started) * perSecond) / 1000
    for (; sent < due; sent++) {
      const doing = once()
        .catch(() => {
          figures.failed += 1
        })
        .finally(() => underWay.delete(doing))
      underWay.add(doing)
    }
    await sleep(1)
  }
  figures.perSecond = (figures.good.length * 1000) / (performance.now() - started)
  await Promise.all(underWay)
  for (const connection of free) connection.close()
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
