import { type Kysely, sql } from 'kysely'
import { windowsAt } from '../../src/db/likes/windows.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { DAY_MS } from '../../src/lib/times.ts'
import { ScriptError } from '../demo/scriptError.ts'
import { addRepositories } from './articles.ts'
import { addLikes } from './likes.ts'
import type { OnProgress } from './progress.ts'
import { PULLS_PER_REPOSITORY, writeSamples } from './samplePulls.ts'
import { FIRST_ID, inBulk, LAST_ID } from './sqlValues.ts'
import { addFavorites, addSessions, addUsers, isSeededUser, type Span } from './users.ts'

export interface Wanted {
  likes: number
  users?: number
  articles?: number
  /** The seed of the random numbers: another seed gives other likes. */
  seed?: number
  /** How many sessions to create. Their tokens are guessable, so none by default. */
  sessions?: number
}

const OLDEST_PULL_DAYS = 100
const LIKES_PER_USER = 50
const LIKES_PER_ARTICLE = 100
const MIN_USERS = 300
const MIN_ARTICLES = 150
const MAX_ARTICLES = 100_000
/**
 * The maximum number of likes, as a share of all pairs of a user and an article. Beyond it, everybody would like nearly
 * everything.
 */
const MAX_DENSITY = 0.25
/** How many users, repositories and likes one transaction adds. */
const USERS_AT_ONCE = 20_000
const REPOSITORIES_AT_ONCE = 200
const LIKES_AT_ONCE = 20_000
const SAMPLE_TEXTS = 20

/**
 * Adds made-up users, favorites, articles and likes up to the given numbers and keeps existing ones. Call it again with
 * larger numbers to add more. The service may run meanwhile. Returns the totals, tokens of sessions, and a sample of
 * texts from the most to the least liked.
 */
export async function fill(db: Kysely<Schema>, wanted: Wanted, onProgress: OnProgress = () => {}) {
  const { seed = 1, sessions = 0 } = wanted
  const run = { now: new Date(), seed }
  const size = sizeFor(wanted)
  const present = await totals(db)
  const missingLikes = Math.max(0, wanted.likes - present.likes)
  await inSpans({ from: present.users, to: size.users }, USERS_AT_ONCE, async (span) => {
    await inBulk(db, (trx) => addUsers(trx, span, run))
    onProgress(span.to, size.users, 'users')
  })
  const repositories = { from: present.repositories, to: size.repositories }
  if (repositories.from < repositories.to) {
    const samples = await writeSamples(new Date(run.now.getTime() - OLDEST_PULL_DAYS * DAY_MS))
    await inSpans(repositories, REPOSITORIES_AT_ONCE, async (span) => {
      await inBulk(db, (trx) => addRepositories(trx, span, { ...run, samples }))
      onProgress(span.to, size.repositories, 'articles')
    })
  }
  await verifyRepositories(db, run.now)
  // The ranking periods of a new database begin at -infinity. They are moved before there are likes, because the
  // service would later have to move them past every like.
  if (present.likes === 0) await db.updateTable('ranking_windows').set(windowsAt(run.now)).execute()
  for (const table of ['users', 'repositories', 'pull_requests', 'articles', 'article_texts'])
    await sql`analyze ${sql.table(table)}`.execute(db)
  await inSpans({ from: present.users, to: size.users }, USERS_AT_ONCE, (span) =>
    inBulk(db, (trx) => addFavorites(trx, span, { ...run, repositories: size.repositories })),
  )
  const tokens = await addSessions(db, Math.min(sessions, size.users), run)

  // Each batch adds likes of adjacent users, so that their index pages stay in memory. Likes that existed already are
  // skipped; further batches, from all users, make up for them.
  const batches = Math.ceil(missingLikes / LIKES_AT_ONCE)
  const edge = (i: number) => Math.floor((size.users * i) / batches)
  for (let i = 0, added = 0; added < missingLikes; i++) {
    const users = i < batches ? { from: edge(i), to: edge(i + 1) } : { from: 0, to: size.users }
    const count = Math.min(Math.ceil(missingLikes / batches), missingLikes - added)
    const chance = ((seed * 7919 + present.likes + i) % 999_983) / 999_983
    const batch = { ...run, users, count, chance, repositories: size.repositories }
    added += await inBulk(db, (trx) => addLikes(trx, batch))
    onProgress(added, missingLikes, 'likes')
  }
  for (const table of ['likes', 'like_counts']) await sql`analyze ${sql.table(table)}`.execute(db)
  return { ...(await totals(db)), added: missingLikes, tokens, sample: await sampleTexts(db) }
}

/** The number of users and repositories that this many likes need, unless `users` or `articles` sets it. */
export function sizeFor({ likes, users, articles }: Wanted) {
  const articlesFor = Math.min(MAX_ARTICLES, Math.max(MIN_ARTICLES, likes / LIKES_PER_ARTICLE))
  const size = {
    users: users ?? Math.max(MIN_USERS, Math.ceil(likes / LIKES_PER_USER)),
    repositories: Math.ceil((articles ?? articlesFor) / PULLS_PER_REPOSITORY),
  }
  if (likes > size.users * size.repositories * PULLS_PER_REPOSITORY * MAX_DENSITY)
    throw new ScriptError('So few users and articles cannot have so many likes: a user can like a text only once.')
  return size
}

async function inSpans({ from, to }: Span, most: number, work: (span: Span) => Promise<void>): Promise<void> {
  for (let start = from; start < to; start += most) await work({ from: start, to: Math.min(start + most, to) })
}

/**
 * Takes the number of seeded users and repositories from the highest id, because some may be deleted, and the number of
 * likes from their counts, because a full scan of the likes would take long.
 */
async function totals(db: Kysely<Schema>) {
  const seeded = sql`between ${sql.lit(FIRST_ID)} and ${sql.lit(LAST_ID)}`
  const { rows } = await sql<{ users: number; repositories: number; articles: number; texts: number; likes: number }>`
    select
      (select coalesce(max(host_user_id) + 1 - ${sql.lit(FIRST_ID)}, 0) from users where ${isSeededUser}) as users,
      (select coalesce(max(host_repo_id) + 1 - ${sql.lit(FIRST_ID)}, 0) from repositories
        where host_repo_id ${seeded}) as repositories,
      (select count(*) from articles) as articles,
      (select count(*) from article_texts) as texts,
      ((select coalesce(sum(all_time), 0) from like_counts)
        + (select coalesce(sum(change), 0) from like_changes))::bigint as likes`.execute(db)
  return rows[0] ?? { users: 0, repositories: 0, articles: 0, texts: 0, likes: 0 }
}

/** Marks all seeded repositories as verified now and public, even those that the service could not verify. */
async function verifyRepositories(db: Kysely<Schema>, now: Date): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ private: false, doubted: false, verified_at: now })
    .where('host_repo_id', '>=', FIRST_ID)
    .where('host_repo_id', '<=', LAST_ID)
    .execute()
}

async function sampleTexts(db: Kysely<Schema>): Promise<{ articleId: string; language: string }[]> {
  const { rows } = await sql<{ articleId: string; language: string }>`
    select article_id as "articleId", language
    from (
      select
        article_id, language, count(*) over () as texts,
        row_number() over (order by all_time desc, article_created_at desc, article_id, language) - 1 as place
      from like_counts where ranked and all_time > 0
    ) ranking
    where place % greatest(1, texts / ${sql.lit(SAMPLE_TEXTS)}) = 0
    order by place limit ${sql.lit(SAMPLE_TEXTS)}`.execute(db)
  return rows
}

/** Refuses to add made-up users to a database with real ones. */
export async function requireNoRealUsers(db: Kysely<Schema>): Promise<void> {
  const real = db.selectFrom('users').where(({ not }) => not(isSeededUser))
  if (await real.select('id').limit(1).executeTakeFirst())
    throw new ScriptError(
      'This database has real users. Made-up articles would stay in their rankings permanently. Use --yes to fill it anyway.',
    )
}
