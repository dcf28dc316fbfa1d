import { sql } from 'kysely'
import { startCounting } from '../../src/likes/counting.ts'
import { compare } from '../../test/bench/compare.ts'
import type { Ask } from '../../test/bench/connection.ts'
import { printHead, printRows } from '../../test/bench/table.ts'
import { fill } from '../seed/fill.ts'
import { type Bench, ROUNDS, WARM_UPS } from './bench.ts'

const LIKES = 100_000
const LIKERS = 8000

/** Likes, spread over articles and all of one; also beside a bare server with one row to count in. */
export async function benchLikes({ db, start }: Bench): Promise<void> {
  const { sample, tokens } = await fill(db, { likes: LIKES, users: 2 * LIKERS, sessions: LIKERS })
  await sql`
    create table bare_counts (
      article_id uuid, language text, likes integer not null, primary key (article_id, language)
    )`.execute(db)
  const restore = await restoring(db)
  const sides = [
    await start('pullpress', 'ours'),
    await start('bare, one row', 'bare', { BENCH_LIKES: 'counting' }),
    await start('bare', 'bare'),
  ]
  const asks: Record<string, (n: number) => Ask> = {
    'like, spread': (n) => like(sample[n % sample.length], tokens[n]),
    'like, one article': (n) => like(sample[0], tokens[n]),
  }
  console.log(`\nLiking, ${LIKES} likes: ${ROUNDS} rounds of ${LIKERS}, rotated, 16 connections; medians.\n`)
  printHead()
  for (const [what, ask] of Object.entries(asks)) {
    const measured = await compare(sides, {
      ...{ ask, status: 201, requests: LIKERS, rounds: ROUNDS, warmUps: WARM_UPS, restore },
    })
    printRows(what, Object.fromEntries(sides.map((side, i) => [side.name, measured[i] as never])))
  }
}

function like(text: { articleId: string; language: string } | undefined, token: string | undefined): Ask {
  return { method: 'POST', path: `/articles/${text?.articleId}/language/${text?.language}/like`, token }
}

/** Takes back what the likers gave, so that every round begins alike. */
async function restoring(db: Bench['db']): Promise<() => Promise<void>> {
  const counting = startCounting(db, () => new Date(), console.error)
  const restore = async () => {
    await sql`
      delete from likes using sessions, users
      where users.subject = sessions.subject and likes.user_id = users.id`.execute(db)
    await counting.catchUp(true)
    await sql`vacuum likes, like_changes, like_counts, users`.execute(db)
  }
  await restore()
  return restore
}
