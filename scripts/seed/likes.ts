import { hash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import pLimit from 'p-limit'
import type { Schema } from '../../src/db/schema/schema.ts'
import { countAdded } from './counts.ts'
import { addDrawn, createDrawTables, draw, type Span, withoutChecks } from './draws.ts'

/** Pages of drawn likes added per statement, about 25,000 likes, to stay within the statement timeout. */
const PAGES = 300
/**
 * Likes per draw. They belong to adjacent users and are added in order of time, so that index pages by user stay in
 * memory and those by time are written once.
 */
const DRAW = 400_000
/**
 * Counting costs the same for one like of a text as for many, so this many likes per text are added before each count.
 */
const LIKES_PER_COUNT = 20

export interface LikesWanted {
  /** How many likes to add. */
  count: number
  /** How many likes exist. */
  present: number
  users: number
  texts: number
  now: Date
  seed: number
  connections: number
}

interface Part {
  count: number
  users: Span
  chance: number
}

/**
 * Adds likes in parts, each in a transaction that also counts them, so that counts stay right if it is interrupted.
 * Parts have separate users, so that they do not block each other.
 */
export async function addLikes(
  db: Kysely<Schema>,
  wanted: LikesWanted,
  onProgress: { added: (count: number) => void; counting: () => void },
) {
  const limit = pLimit(wanted.connections)
  const countingAlone = pLimit(1)
  const adding = partsOf(wanted).map((part) =>
    limit(() =>
      db.transaction().execute(async (trx) => {
        await prepare(trx, wanted.seed)
        await withoutChecks(trx, () => addPart(trx, part, wanted, onProgress.added))
        await countingAlone(() => {
          onProgress.counting()
          return countAdded(trx)
        })
      }),
    ).catch((error) => {
      limit.clearQueue()
      throw error
    }),
  )
  await Promise.all(adding)
}

function partsOf({ count, present, users, texts, seed, connections }: LikesWanted): Part[] {
  const rounds = Math.round(count / Math.max(DRAW, LIKES_PER_COUNT * texts) / connections)
  const parts = count === 0 ? 0 : Math.max(1, rounds * connections)
  return Array.from({ length: parts }, (_, i) => ({
    count: share(count, i + 1, parts) - share(count, i, parts),
    users: { from: share(users, i, parts), to: share(users, i + 1, parts) },
    chance: Number.parseInt(hash('sha256', `${seed} ${present} ${i}`).slice(0, 8), 16) / 2 ** 32,
  }))
}

async function prepare(trx: Transaction<Schema>, seed: number): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx)
  await sql`set local work_mem = '64MB'`.execute(trx)
  await sql`set local jit = off`.execute(trx)
  await sql`set local statement_timeout = 0`.execute(trx)
  // A part waits while another one is counted.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
  await createDrawTables(trx, seed)
}

/** Some draws hit existing likes. The missing ones are drawn at the end from all users of the part. */
async function addPart(trx: Transaction<Schema>, part: Part, wanted: LikesWanted, onAdded: (count: number) => void) {
  await sql`select setseed(${sql.lit(part.chance)})`.execute(trx)
  const { from, to } = part.users
  const draws = Math.ceil(part.count / DRAW)
  let missing = part.count
  for (let i = 0; missing > 0; i++) {
    const edge = (at: number) => from + share(to - from, at, draws)
    const users = i < draws ? { from: edge(i), to: edge(i + 1) } : part.users
    const count = Math.min(missing, Math.ceil(part.count / draws))
    const pages = await draw(trx, { ...wanted, users, count })
    for (let page = 0; page < pages; page += PAGES) {
      const added = await addDrawn(trx, page, page + PAGES)
      missing -= added
      onAdded(added)
    }
  }
}

function share(whole: number, i: number, parts: number): number {
  return Math.floor((whole * i) / parts)
}
