import { fill } from '../seed/fill.ts'
import { type Bench, ROUNDS, WARM_UPS } from './bench.ts'
import { compare, type Side } from './compare.ts'
import type { Ask } from './connection.ts'
import { printHead, printRows } from './table.ts'

const LIKES = 100_000
const REQUESTS = 1500

/** Compares a page with the same data as JSON from a server of the same kind. */
export async function benchPages({ db, start }: Bench): Promise<void> {
  const { sample } = await fill(db, { likes: LIKES })
  const [page, json] = [await start('page', 'ourServer'), await start('JSON', 'ourServer')]
  const idOf = (n: number) => sample[n % sample.length]?.articleId
  const pairs: Record<string, [(n: number) => Ask, (n: number) => Ask]> = {
    home: [() => ({ path: '/read' }), () => ({ path: '/ranking/articles/likes?limit=20' })],
    article: [(n) => ({ path: `/read/articles/${idOf(n)}` }), (n) => ({ path: `/articles/${idOf(n)}` })],
  }
  console.log(`\nPages compared with JSON: ${ROUNDS} rounds of ${REQUESTS}, rotated, 16 connections; medians.\n`)
  printHead()
  for (const [what, [asPage, asJson]] of Object.entries(pairs)) {
    const sides: Side[] = [
      { ...page, ask: asPage },
      { ...json, ask: asJson },
    ]
    const trial = { ask: asJson, status: 200, requests: REQUESTS, rounds: ROUNDS, warmUps: WARM_UPS }
    printRows(what, ['page', 'JSON'], await compare(sides, trial))
  }
}
