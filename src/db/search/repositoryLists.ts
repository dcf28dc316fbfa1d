import { type Kysely, sql } from 'kysely'
import { type Name, shownRepository } from '../repositories/repositories.ts'
import type { Schema } from '../schema/schema.ts'
import { type Freshness, publicAudience, shownTo } from '../visibility.ts'
import { isListed, type Reader } from './articleLists.ts'

export interface RepositoryPosition {
  at: Date
  hostRepoId: number
}

/** Public repositories with articles, that with the newest article first. */
export async function findRepositories(
  db: Kysely<Schema>,
  { limit, after }: { limit: number; after: RepositoryPosition | undefined },
  fresh: Freshness,
) {
  const newest = sql<Date>`repositories.newest_article_at`
  return shownTo(db, publicAudience(fresh))
    .where(isListed(fresh))
    .where(sql<boolean>`${newest} is not null`)
    .where(
      after
        ? sql<boolean>`(${newest}, repositories.host_repo_id) < (${after.at}::timestamptz, ${after.hostRepoId}::bigint)`
        : sql<boolean>`true`,
    )
    .select(['repositories.host_repo_id', 'repositories.owner', 'repositories.name', 'repositories.description'])
    .select([newest.as('newest_article_at'), articleCount.as('article_count')])
    .orderBy(newest, 'desc')
    .orderBy('repositories.host_repo_id', 'desc')
    .limit(limit)
    .execute()
}

const articleCount = sql<number>`(
  select count(distinct article_id)::integer from article_cards
  where article_cards.host_repo_id = repositories.host_repo_id and is_public
)`

/** A visible repository, and whether the reader follows it. */
export async function findRepositoryPage(db: Kysely<Schema>, reader: Reader, name: Name) {
  const isFollowed = sql<boolean>`exists (
    select from favorites
    where favorites.host_repo_id = repositories.host_repo_id and favorites.user_id = ${reader.userId}::uuid
  )`
  return shownRepository(db, reader, name)
    .select(['repositories.description', isFollowed.as('is_followed')])
    .executeTakeFirst()
}
