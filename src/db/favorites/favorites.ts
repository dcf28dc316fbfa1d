import type { Kysely, Selectable, Transaction } from 'kysely'
import type { FavoritesTable, Schema } from '../schema/schema.ts'
import { type Audience, denied, isUnproven, shownTo, stale, withAccess } from '../visibility.ts'

export type FavoriteRow = Selectable<FavoritesTable>

const FAVORITE_COLUMNS = [
  'favorites.id',
  'favorites.user_id',
  'favorites.host_repo_id',
  'favorites.registered_at',
] as const

/** The favorites of an account that this session may see, newest first. */
export async function findShownFavorites(db: Kysely<Schema>, audience: Audience, userId: string) {
  return shownTo(db, audience)
    .innerJoin('favorites', 'favorites.host_repo_id', 'repositories.host_repo_id')
    .where('favorites.user_id', '=', userId)
    .select(FAVORITE_COLUMNS)
    .select(['repositories.owner', 'repositories.name', 'repositories.private', isUnproven(audience)])
    .orderBy('favorites.registered_at', 'desc')
    .orderBy('favorites.id', 'desc')
    .execute()
}

/** For each favorite of an account: whether this session is denied it, and whether its visibility check is stale. */
export async function findFavoriteChecks(db: Kysely<Schema>, audience: Audience, userId: string) {
  return withAccess(db, audience)
    .innerJoin('favorites', 'favorites.host_repo_id', 'repositories.host_repo_id')
    .where('favorites.user_id', '=', userId)
    .select(['favorites.host_repo_id', denied(audience).as('denied'), stale(audience).as('stale')])
    .execute()
}

export async function findFavorite(
  db: Kysely<Schema>,
  userId: string,
  hostRepoId: number,
): Promise<FavoriteRow | undefined> {
  return db
    .selectFrom('favorites')
    .where('user_id', '=', userId)
    .where('host_repo_id', '=', hostRepoId)
    .select(FAVORITE_COLUMNS)
    .executeTakeFirst()
}

export async function insertFavorite(trx: Transaction<Schema>, favorite: FavoriteRow): Promise<void> {
  await trx.insertInto('favorites').values(favorite).execute()
}

/** Returns false if a concurrent request removed it first. */
export async function deleteFavorite(db: Kysely<Schema>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('favorites').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
