import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import type { FavoritesTable, Schema } from '../schema/schema.ts'
import { type Audience, denied, fitsRepository, isUnverified, shownTo, stale, withAccess } from '../visibility.ts'

const MAX_UNREAD = 100

const seenAt = sql<Date>`coalesce(favorites.seen_at, favorites.registered_at)`

/**
 * The number of visible articles that were first written since `seenAt`, at most `MAX_UNREAD`. The subquery sorts in
 * the order of an index, so that Postgres stops reading at this limit.
 */
const unreadCount = sql<number>`(
  select count(*)::integer from (
    select distinct article_cards.created_at, article_cards.article_id from article_cards
    join article_texts
      on article_texts.article_id = article_cards.article_id and article_texts.language = article_cards.language
    join articles on articles.id = article_cards.article_id
    join pull_requests
      on pull_requests.host_repo_id = articles.host_repo_id and pull_requests.number = articles.number
    where article_cards.host_repo_id = repositories.host_repo_id and article_cards.created_at > ${seenAt}
      and ${fitsRepository('article_texts')} and ${fitsRepository('pull_requests')}
    order by article_cards.created_at desc, article_cards.article_id desc
    limit ${sql.lit(MAX_UNREAD)}
  ) unread
)`

const isWatched = sql<boolean>`(not repositories.private and exists (
  select from watched_repositories where watched_repositories.host_repo_id = favorites.host_repo_id
))`

const FAVORITE_COLUMNS = [
  'favorites.id',
  'favorites.user_id',
  'favorites.host_repo_id',
  'favorites.registered_at',
  seenAt.as('seen_at'),
  unreadCount.as('unread_count'),
  'favorites.automatic_articles',
  'favorites.includes_bots',
  isWatched.as('is_watched'),
] as const

/** The favorites of an account that this session may see, newest first. */
export async function findShownFavorites(db: Kysely<Schema>, audience: Audience, userId: string) {
  return shownTo(db, audience)
    .innerJoin('favorites', 'favorites.host_repo_id', 'repositories.host_repo_id')
    .where('favorites.user_id', '=', userId)
    .select(FAVORITE_COLUMNS)
    .select(['repositories.owner', 'repositories.name', 'repositories.private', isUnverified(audience)])
    .orderBy('favorites.registered_at', 'desc')
    .orderBy('favorites.id', 'desc')
    .execute()
}

/**
 * The favorites of an account that no operator has hidden. For each: whether the code host denied it to this session,
 * and whether its visibility check is stale.
 */
export async function findFavoriteChecks(db: Kysely<Schema>, audience: Audience, userId: string) {
  return withAccess(db, audience)
    .innerJoin('favorites', 'favorites.host_repo_id', 'repositories.host_repo_id')
    .where('favorites.user_id', '=', userId)
    .select(['favorites.host_repo_id', denied(audience).as('denied'), stale(audience).as('stale')])
    .execute()
}

export async function findFavorite(db: Kysely<Schema>, userId: string, hostRepoId: number) {
  return db
    .selectFrom('favorites')
    .innerJoin('repositories', 'repositories.host_repo_id', 'favorites.host_repo_id')
    .where('favorites.user_id', '=', userId)
    .where('favorites.host_repo_id', '=', hostRepoId)
    .where('repositories.hidden_by', 'is', null)
    .select(FAVORITE_COLUMNS)
    .executeTakeFirst()
}

/** The ids of an account's favorites, visible or not. */
export async function findFavoriteRepositories(db: Kysely<Schema>, userId: string): Promise<number[]> {
  const rows = await db.selectFrom('favorites').where('user_id', '=', userId).select('host_repo_id').execute()
  return rows.map(({ host_repo_id }) => host_repo_id)
}

/** Which of these repositories are favorites of an account. */
export async function findFavoriteIds(db: Kysely<Schema>, userId: string, hostRepoIds: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('favorites')
    .where('user_id', '=', userId)
    .where(sql<boolean>`host_repo_id = any(${hostRepoIds}::bigint[])`)
    .select('host_repo_id')
    .execute()
  return new Set(rows.map(({ host_repo_id }) => host_repo_id))
}

export type FavoriteRow = NonNullable<Awaited<ReturnType<typeof findFavorite>>>

export async function insertFavorite(trx: Transaction<Schema>, favorite: Insertable<FavoritesTable>): Promise<void> {
  await trx.insertInto('favorites').values(favorite).execute()
}

/** Returns false if the repository is not a favorite. */
export async function updateSeen(db: Kysely<Schema>, userId: string, hostRepoId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('favorites')
    .set({ seen_at: now })
    .where('user_id', '=', userId)
    .where('host_repo_id', '=', hostRepoId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type FavoriteSettings = Pick<Updateable<FavoritesTable>, 'automatic_articles' | 'includes_bots'>

/** Returns false if a concurrent request has already removed the favorite. */
export async function updateSettings(db: Kysely<Schema>, id: string, settings: FavoriteSettings): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('favorites').set(settings).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false if a concurrent request has already removed the favorite. */
export async function deleteFavorite(db: Kysely<Schema>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('favorites').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
