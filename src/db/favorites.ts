import type { Kysely, Transaction } from 'kysely'
import type { FavoritesTable, Schema } from './schema.ts'

export type FavoriteRow = Awaited<ReturnType<typeof findFavorites>>[number]

/** An account's favorites, newest first, with what proves that this session may see each. */
export async function findFavorites(db: Kysely<Schema>, userId: string, sessionId: string) {
  return db
    .selectFrom('favorites')
    .innerJoin('repositories', 'repositories.host_repo_id', 'favorites.host_repo_id')
    .leftJoin('repository_access', (join) =>
      join
        .onRef('repository_access.host_repo_id', '=', 'favorites.host_repo_id')
        .on('repository_access.session_id', '=', sessionId),
    )
    .where('favorites.user_id', '=', userId)
    .select([
      'favorites.id',
      'favorites.user_id',
      'favorites.host_repo_id',
      'favorites.registered_at',
      'repositories.owner',
      'repositories.name',
      'repositories.private',
      'repositories.proven_at',
      'repository_access.allowed',
      'repository_access.asked_at',
    ])
    .orderBy('favorites.registered_at', 'desc')
    .orderBy('favorites.id', 'desc')
    .execute()
}

export async function insertFavorite(trx: Transaction<Schema>, favorite: FavoritesTable): Promise<void> {
  await trx.insertInto('favorites').values(favorite).execute()
}

/** Answers false where somebody else removed it first. */
export async function deleteFavorite(db: Kysely<Schema>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('favorites').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
