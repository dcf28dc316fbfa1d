import { sql } from 'kysely'
import { fill } from '../seed/fill.ts'
import type { Bench } from './bench.ts'
import { bytesOf, compare, type Figures, type Side } from './compare.ts'
import type { Ask } from './connection.ts'
import { printHead, printRows } from './table.ts'

const LIKES = 100_000
const LAUNCHES = 3
const WARM_UPS = 20
const ROUNDS = 17
const PERIODS = ['all', 'monthly', 'weekly', 'daily']

interface Reading {
  what: string
  ask: (n: number) => Ask
  /** The number of requests per round. */
  requests: number
}

/**
 * Reads an article by id, the ranking of each period and the likes of a user, all signed in. Speed varies by a tenth
 * between launches of one program, so there are several launches.
 */
export async function benchReading({ db, start }: Bench): Promise<void> {
  const { sample, tokens } = await fill(db, { likes: LIKES, sessions: 100 })
  const token = tokens[await userWithMostLikes(db, tokens.length)]
  const ranking = (period: string) => ({
    what: `ranking, ${period}`,
    ask: () => ({ path: `/ranking/articles/likes?period=${period}`, token }),
    requests: 1000,
  })
  const readings: Reading[] = [
    {
      what: 'article by id',
      ask: (n) => ({ path: `/articles/${sample[n % sample.length]?.articleId}`, token }),
      requests: 1000,
    },
    ...PERIODS.map(ranking),
    { what: 'my likes', ask: () => ({ path: '/users/me/liked-articles', token }), requests: 200 },
  ]
  console.log(`\nReading, ${LIKES} likes: ${LAUNCHES} launches, ${ROUNDS} rounds each, rotated; medians.\n`)
  const measured = readings.map((): Figures[][] => [[], []])
  for (let launch = 1; launch <= LAUNCHES; launch++) {
    process.stderr.write(`Launch ${launch} of ${LAUNCHES} …\n`)
    const sides: [Side, Side] = [await start('pullpress', 'ourServer'), await start('bare', 'bareServer')]
    // Warms up all readings first: shared code gets faster with use, which would favor the last reading.
    for (const { ask, requests } of readings)
      await compare(sides, { ask, status: 200, requests, rounds: WARM_UPS, warmUps: 0 })
    for (const [i, { what, ask, requests }] of readings.entries()) {
      await requireSameBytes(sides, ask(0), what)
      const rounds = await compare(sides, { ask, status: 200, requests, rounds: ROUNDS, warmUps: 1 })
      rounds.forEach((figures, side) => {
        measured[i]?.[side]?.push(...figures)
      })
    }
    for (const side of sides) side.process.disconnect()
  }
  printHead()
  for (const [i, { what }] of readings.entries()) printRows(what, ['pullpress', 'bare'], measured[i] ?? [])
}

async function requireSameBytes([ours, bare]: [Side, Side], ask: Ask, what: string): Promise<void> {
  if (!(await bytesOf(ours, ask)).equals(await bytesOf(bare, ask)))
    throw new Error(`The servers return different bytes: ${what}.`)
}

async function userWithMostLikes(db: Bench['db'], users: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select n - 1 as n from (
      select row_number() over (order by host_user_id)::integer as n, id from users order by host_user_id limit ${users}
    ) bearer
    order by (select count(*) from likes where user_id = bearer.id) desc limit 1`.execute(db)
  return rows[0]?.n ?? 0
}
