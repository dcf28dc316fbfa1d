import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, type Connection, openConnection } from '../../test/bench/connection.ts'
import type { Row } from './table.ts'
import type { World } from './world.ts'

const MEASURE_MILLISECONDS = 8000
const AT_PEAK = 48
const MOST_CONNECTIONS = 3000

interface Figures {
  good: number[]
  refused: number[]
  failed: number
  perSecond: number
}

/** Twice as much as a node can do, asked for without waiting for answers, and then only half of what it can do. */
export async function overloaded(world: World): Promise<Row> {
  const port = world.nodes[0]?.port ?? 0
  const ask = () => {
    const text = world.texts[Math.floor(Math.random() * world.texts.length)]
    const user = world.users[Math.floor(Math.random() * world.users.length)]
    return { path: `/articles/${text?.articleId}`, token: user?.token }
  }
  await closedLoop(port, ask, 2000)
  const peak = await closedLoop(port, ask, MEASURE_MILLISECONDS)
  const over = await openLoop(port, ask, 2 * peak.perSecond, MEASURE_MILLISECONDS)
  await sleep(2000)
  const before = percentile(peak.good, 0.99)
  const after = await openLoop(port, ask, peak.perSecond / 2, 4000)
  const share = over.perSecond / peak.perSecond
  const refusal = percentile(over.refused, 0.99)
  const settled = percentile(after.good, 0.99)
  return {
    fault: 'twice as much as one node can do',
    load: `${Math.round(2 * peak.perSecond)}/s`,
    seen: [
      `peak ${Math.round(peak.perSecond)}/s, p99 ${before.toFixed(0)} ms`,
      `overloaded ${Math.round(over.perSecond)}/s (${Math.round(share * 100)} %), ${over.refused.length} refused, p50 ${percentile(over.refused, 0.5).toFixed(0)} ms, p99 ${refusal.toFixed(0)} ms`,
      `${over.failed} failed otherwise`,
      `then p99 ${settled.toFixed(0)} ms`,
    ].join('; '),
    isGood:
      share >= 0.8 &&
      over.refused.length > 0 &&
      refusal <= 50 &&
      over.failed === 0 &&
      settled <= Math.max(2 * before, 50),
  }
}

/** As fast as so many connections can, one request after the other on each. */
async function closedLoop(port: number, ask: () => Ask, milliseconds: number): Promise<Figures> {
  const figures: Figures = { good: [], refused: [], failed: 0, perSecond: 0 }
  const started = performance.now()
  await Promise.all(
    Array.from({ length: AT_PEAK }, async () => {
      const connection = await openConnection(port)
      while (performance.now() - started < milliseconds) await send(connection, ask(), figures)
      connection.close()
    }),
  )
  figures.perSecond = (figures.good.length * 1000) / milliseconds
  return figures
}

/** So many a second, whatever becomes of them. */
async function openLoop(port: number, ask: () => Ask, perSecond: number, milliseconds: number): Promise<Figures> {
  const figures: Figures = { good: [], refused: [], failed: 0, perSecond: 0 }
  const free: Connection[] = []
  const underWay = new Set<Promise<void>>()
  let opened = 0
  async function once(): Promise<void> {
    const known = free.pop()
    if (!known && opened >= MOST_CONNECTIONS) return
    if (!known) opened += 1
    const connection = known ?? (await openConnection(port))
    await send(connection, ask(), figures)
    free.push(connection)
  }
  const started = performance.now()
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

async function send(connection: Connection, ask: Ask, { good, refused }: Figures): Promise<void> {
  const started = performance.now()
  const { status } = await connection.send(ask)
  const list = status === 503 ? refused : good
  list.push(performance.now() - started)
  if (status !== 503 && status !== 200) throw new Error(`An answer of ${status}.`)
}

function percentile(milliseconds: number[], share: number): number {
  const sorted = milliseconds.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
