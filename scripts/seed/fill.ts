import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import { addArticles, countSeededRepositories, countSeededTexts, proveRepositories } from './articles.ts'
import { countLikes, slideTo } from './counts.ts'
import { addLikes } from './likes.ts'
import { addSessions } from './sessions.ts'
import { sizeFor } from './size.ts'
import { addUsers, countSeededUsers } from './users.ts'
import { countRows, sampleTexts, type Text } from './whatThereIs.ts'
import { PULLS_PER_REPOSITORY } from './writing.ts'

export interface Wanted {
  likes: number
  users?: number
  articles?: number
  now?: Date
  /** Another seed gives other likes. */
  seed?: number
  /** How many sessions to create. Their tokens are guessable, so none by default. */
  sessions?: number
  /** The time of the last visibility check; the service repeats old ones with the code host. */
  provenAt?: Date
  /** How many connections to use in parallel. */
  connections?: number
}

/** The totals, and a sample of texts by popularity and tokens for requests. */
export interface Filled {
  users: number
  articles: number
  texts: number
  likes: number
  /** How many of the likes are new. */
  added: number
  sample: Text[]
  tokens: string[]
}

export type OnProgress = (done: number, total: number, what: 'users' | 'articles' | 'likes' | 'counting') => void

/**
 * Adds made-up users, articles and likes up to the given numbers and keeps existing ones. Call it again with larger
 * numbers to add more. The service may run meanwhile.
 */
export async function fill(db: Kysely<Schema>, wanted: Wanted, onProgress: OnProgress = () => {}): Promise<Filled> {
  const { now = new Date(), seed = 1, sessions = 0, provenAt = now, connections = 1 } = wanted
  const size = sizeFor(wanted)
  const present = {
    users: await countSeededUsers(db),
    repositories: await countSeededRepositories(db),
    likes: await countLikes(db),
  }
  const missing = {
    users: Math.max(0, size.users - present.users),
    articles: Math.max(0, size.repositories - present.repositories) * PULLS_PER_REPOSITORY,
    likes: Math.max(0, wanted.likes - present.likes),
  }
  const total = missing.users + missing.articles + missing.likes
  let done = 0
  const progress = (what: Parameters<OnProgress>[2]) => (added: number) => {
    done += added
    onProgress(done, total, what)
  }
  const likesProgress = { added: progress('likes'), counting: () => progress('counting')(0) }

  await slideTo(db, now)
  await addUsers(db, { from: present.users, to: size.users, now, seed }, progress('users'))
  await addArticles(
    db,
    { from: present.repositories, to: size.repositories, now, seed, connections },
    progress('articles'),
  )
  await proveRepositories(db, provenAt)
  const tokens = await addSessions(db, { sessions: Math.min(sessions, size.users), now, seed })
  const texts = await countSeededTexts(db)
  const likes = { count: missing.likes, present: present.likes, users: size.users, texts, now, seed, connections }
  await addLikes(db, likes, likesProgress)
  for (const table of ['likes', 'like_counts']) await sql`analyze ${sql.table(table)}`.execute(db)
  return { ...(await countRows(db)), added: missing.likes, sample: await sampleTexts(db), tokens }
}
