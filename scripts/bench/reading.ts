import { sql } from 'kysely'
import { bytesOf, compare } from '../../test/bench/compare.ts'
import type { Ask } from '../../test/bench/connection.ts'
import { printHead, printRows } from '../../test/bench/table.ts'
import { fill } from '../seed/fill.ts'
import type { Bench } from './bench.ts'

const LIKES = 100_000
const REQUESTS = 1000
const WARM_UPS = 30
const ROUNDS = 51
const PERIODS = ['all', 'monthly', 'weekly', 'daily']

/** An article by its id, the ranking of each period, and what somebody likes, each for somebody who is signed in. */
export async function benchReading({ db, start }: Bench): Promise<void> {
  const { sample, tokens } = await fill(db, { likes: LIKES, sessions: 100 })
  const token = tokens[await mostLiking(db, tokens.length)]
  const [ours, bare] = [await start('pullpress', 'ours'), await start('bare', 'bare')]
  const sides = [ours, bare]
  const asks: Record<string, (n: number) => Ask> = {
    'article by id': (n) => ({ path: `/articles/${sample[n % sample.length]?.articleId}`, token }),
    ...Object.fromEntries(
      PERIODS.map((period) => [
        `ranking, ${period}`,
        () => ({ path: `/ranking/articles/likes?period=${period}`, token }),
      ]),
    ),
    'my likes': () => ({ path: '/users/me/liked-articles', token }),
  }
  console.log(`\nReading, ${LIKES} likes: ${ROUNDS} rounds of ${REQUESTS}, rotated, 16 connections; medians.\n`)
  printHead()
  // All of them first: what they share runs faster the more often it has run, and would favour the last.
  for (const ask of Object.values(asks))
    await compare(sides, { ask, status: 200, requests: REQUESTS, rounds: WARM_UPS, warmUps: 0 })
  for (const [what, ask] of Object.entries(asks)) {
    if (!(await bytesOf(ours, ask(0))).equals(await bytesOf(bare, ask(0))))
      throw new Error(`The two servers do not answer the same bytes: ${what}.`)
    const trial = { ask, status: 200, requests: REQUESTS, rounds: ROUNDS, warmUps: 1 }
    printRows(what, sides, await compare(sides, trial))
  }
}

async function mostLiking(db: Bench['db'], users: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select n - 1 as n from (
      select row_number() over (order by host_user_id)::integer as n, id from users order by host_user_id limit ${users}
    ) bearer
    order by (select count(*) from likes where user_id = bearer.id) desc limit 1`.execute(db)
  return rows[0]?.n ?? 0
}
