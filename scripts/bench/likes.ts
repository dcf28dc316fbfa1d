import { sql } from 'kysely'
import { type Counting, startCounting } from '../../src/domain/likes/counting.ts'
import { fill } from '../seed/fill.ts'
import { type Bench, ROUNDS, WARM_UPS } from './bench.ts'
import { compare } from './compare.ts'
import type { Ask } from './connection.ts'
import { printHead, printRows } from './table.ts'

const LIKES = 100_000
const LIKERS = 3000

/** Measures the time of a like, with likes spread over many articles and with all likes on one article. */
export async function benchLikes({ db, start }: Bench): Promise<void> {
  const { sample, tokens } = await fill(db, { likes: LIKES, users: 2 * LIKERS, sessions: LIKERS })
  const counting = startCounting(db, () => new Date(), console.error)
  const restore = () => removeLikes(db, counting)
  await restore()
  const sides = [await start('pullpress', 'ourServer'), await start('bare', 'bareServer')]
  const asks: Record<string, (n: number) => Ask> = {
    'like, spread': (n) => like(sample[n % sample.length], tokens[n]),
    'like, one article': (n) => like(sample[0], tokens[n]),
  }
  console.log(
    `\nLikes with ${LIKES} existing likes: ${ROUNDS} rounds of ${LIKERS}, rotated, 16 connections; medians.\n`,
  )
  printHead()
  for (const [what, ask] of Object.entries(asks)) {
    const trial = { ask, status: 201, requests: LIKERS, rounds: ROUNDS, warmUps: WARM_UPS, restore }
    printRows(what, ['pullpress', 'bare'], await compare(sides, trial))
  }
  await counting.stop()
}

function like(text: { articleId: string; language: string } | undefined, token: string | undefined): Ask {
  return { method: 'POST', path: `/articles/${text?.articleId}/language/${text?.language}/like`, token }
}

/** Removes the likes of a round, so that every round starts alike. */
async function removeLikes(db: Bench['db'], counting: Counting): Promise<void> {
  await sql`
    delete from likes using sessions, users
    where users.subject = sessions.subject and likes.user_id = users.id`.execute(db)
  await counting.catchUp(true)
  await sql`vacuum likes, like_changes, like_counts, users`.execute(db)
}
