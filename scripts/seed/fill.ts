import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import { addArticles, countSeededRepositories, countSeededTexts, proveRepositories } from './articles.ts'
import { countLikes, slideTo } from './counts.ts'
import { addLikes } from './likes.ts'
import { addSessions } from './sessions.ts'
import { sizeFor } from './size.ts'
import { addUsers, countSeededUsers } from './users.ts'
import { sampleTexts, type Text, whatThereIs } from './whatThereIs.ts'
import { PULLS_PER_REPOSITORY } from './writing.ts'

export interface Wanted {
  likes: number
  users?: number
  articles?: number
  now?: Date
  /** Another one gives other likes. */
  seed?: number
  /** How many bearers to make. They can be guessed, so none by default. */
  sessions?: number
  /** When the repositories are said to have been public: the service asks the code host for those it finds old. */
  provenAt?: Date
  /** How many to use at once, on a database that has as many. */
  connections?: number
}

/** What there is now, and what requests can be made with: texts from the best liked one down, and bearers. */
export interface Filled {
  users: number
  articles: number
  texts: number
  likes: number
  /** How many of those are new. */
  added: number
  sample: Text[]
  tokens: string[]
}

export type OnProgress = (done: number, total: number, what: 'users' | 'articles' | 'likes' | 'counting') => void

/**
 * Adds made-up users, articles and likes until there are as many as wanted, and leaves what is there: called again with
 * larger numbers it goes on from there, with smaller ones it adds nothing. The service may run meanwhile.
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
  return { ...(await whatThereIs(db)), added: missing.likes, sample: await sampleTexts(db), tokens }
}
