import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** Repositories are watched while they are public, not hidden, and a follower wants automatic articles. */
const isWanted = sql<boolean>`(not repositories.private and repositories.hidden_by is null and exists (
  select from favorites
  where favorites.host_repo_id = repositories.host_repo_id and favorites.automatic_articles <> 'off'
))`

const all = sql<boolean>`true`

/** Begins or ends watching a repository after its visibility or the setting of a follower changed. */
export async function updateWatched(db: Kysely<Schema>, hostRepoId: number, now: Date): Promise<void> {
  // Locks the repository, so that concurrent transactions for several followers decide one after the other, each by
  // what the ones before have stored.
  await sql`select from repositories where host_repo_id = ${hostRepoId}::bigint for no key update`.execute(db)
  await updateWhere(db, sql<boolean>`repositories.host_repo_id = ${hostRepoId}::bigint`, now)
}

/** As `updateWatched`, for all repositories. */
export async function updateAllWatched(db: Kysely<Schema>, now: Date): Promise<void> {
  await updateWhere(db, all, now)
}

async function updateWhere(db: Kysely<Schema>, which: RawBuilder<boolean>, now: Date): Promise<void> {
  await sql`
    delete from watched_repositories using repositories
    where repositories.host_repo_id = watched_repositories.host_repo_id and ${which} and not ${isWanted}`.execute(db)
  await sql`
    insert into watched_repositories (host_repo_id, started_at, next_check_at, active_at)
    select host_repo_id, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from repositories where ${which} and ${isWanted}
    on conflict do nothing`.execute(db)
}
