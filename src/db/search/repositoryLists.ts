import { type Kysely, sql } from 'kysely'
import { type RepositoryKey, shownRepository } from '../repositories/repositories.ts'
import type { Schema } from '../schema/schema.ts'
import { type Freshness, publicAudience, shownTo } from '../visibility.ts'
import { isListed, type Reader } from './listedTexts.ts'

export interface RepositoryPosition {
  at: Date
  hostRepoId: number
}

interface RepositoryFilter {
  limit: number
  after: RepositoryPosition | undefined
  /** Words in lower case that the full name or the description must contain. */
  words: string[]
  /** Ids of repositories to leave out. */
  except: number[]
}

/** Public repositories with articles; the repository with the newest article comes first. */
export async function findRepositories(
  db: Kysely<Schema>,
  { limit, after, words, except }: RepositoryFilter,
  fresh: Freshness,
) {
  const text = sql`lower(concat(repositories.owner, '/', repositories.name, ' ', repositories.description))`
  return newestRepositories(db, limit, fresh)
    .where(sql<boolean>`not exists (select from unnest(${words}::text[]) word where strpos(${text}, word) = 0)`)
    .where(sql<boolean>`repositories.host_repo_id <> all (${except}::bigint[])`)
    .where(
      after
        ? sql<boolean>`(${NEWEST}, repositories.host_repo_id) < (${after.at}::timestamptz, ${after.hostRepoId}::bigint)`
        : sql<boolean>`true`,
    )
    .select(['repositories.host_repo_id', 'repositories.description', articleCount.as('article_count')])
    .execute()
}

/** As `findRepositories`, for the sitemap. */
export async function findListedRepositories(db: Kysely<Schema>, max: number, fresh: Freshness) {
  return newestRepositories(db, max, fresh).execute()
}

const NEWEST = sql<Date>`repositories.newest_article_at`

function newestRepositories(db: Kysely<Schema>, limit: number, fresh: Freshness) {
  return shownTo(db, publicAudience(fresh))
    .where(isListed(fresh))
    .where(sql<boolean>`${NEWEST} is not null`)
    .select(['repositories.owner', 'repositories.name', NEWEST.as('newest_article_at')])
    .orderBy(NEWEST, 'desc')
    .orderBy('repositories.host_repo_id', 'desc')
    .limit(limit)
}

const articleCount = sql<number>`(
  select count(distinct article_id)::integer from article_cards
  where article_cards.host_repo_id = repositories.host_repo_id and is_public
)`

/** A visible repository, whether the reader follows it, and whether it is or was watched for merged pull requests. */
export async function findRepositoryPage(db: Kysely<Schema>, reader: Reader, by: RepositoryKey) {
  const isFollowed = sql<boolean>`exists (
    select from favorites
    where favorites.host_repo_id = repositories.host_repo_id and favorites.user_id = ${reader.userId}::uuid
  )`
  const hasMergeList = sql<boolean>`(
    exists (select from merges where merges.host_repo_id = repositories.host_repo_id)
    or exists (select from watched_repositories where watched_repositories.host_repo_id = repositories.host_repo_id)
  )`
  return shownRepository(db, reader, by)
    .select(['repositories.description', isFollowed.as('is_followed'), hasMergeList.as('has_merge_list')])
    .executeTakeFirst()
}
