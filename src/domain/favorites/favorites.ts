import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { lockUser } from '../../db/accounts/users.ts'
import {
  deleteFavorite,
  type FavoriteRow,
  findFavorite,
  findFavoriteChecks,
  findShownFavorites,
  insertFavorite,
  updateSeen,
  updateSettings,
} from '../../db/favorites/favorites.ts'
import { updateWatched } from '../../db/merges/watched.ts'
import {
  findShownRepository,
  findShownTo,
  type KnownRepository,
  recordAnswer,
} from '../../db/repositories/repositories.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { forbidden, Problem } from '../../errors.ts'
import type { WithoutUrl } from '../../lib/withoutUrl.ts'
import { isWatching } from '../../runtime/config/isWatching.ts'
import { userNotFound } from '../accounts/problems.ts'
import type { Viewer } from '../accounts/session.ts'
import { repositoryFor } from '../repositories/askForRepository.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'
import { recheckAccess } from '../repositories/recheckAccess.ts'
import { audienceOf, toKnown } from '../repositories/visibility.ts'

type UpdateFavoriteRequest = components['schemas']['UpdateFavoriteRequest']
export type Favorite = WithoutUrl<components['schemas']['FavoriteRepository']>
type Name = { owner: string; repo: string }

export const MAX_FAVORITES = 100
const MAX_ROWS = 1000

/**
 * Adds a favorite. The code host resolves the name to the repository's numeric id, which survives renames and
 * identifies the favorite.
 */
export async function registerFavorite(ctx: Context, viewer: Viewer, { owner, repo }: Name) {
  const askedAt = ctx.now()
  const { repository, problem = repositoryNotFound() } = await repositoryFor(ctx, viewer, { owner, repo })
  if (!repository) throw problem
  const record = toKnown(repository)
  const user_id = viewer.user.id
  const answer = { sessionId: viewer.id, hostRepoId: repository.id, repository: record, askedAt, heardAt: ctx.now() }
  await recordAnswer(ctx.db, answer)
  if (!(await findShownRepository(ctx.db, audienceOf(ctx, viewer), { hostRepoId: repository.id })))
    throw repositoryNotFound()
  const existing = await findFavorite(ctx.db, user_id, repository.id)
  if (existing) return { favorite: toFavorite(ctx, { ...existing, ...record }), created: false }
  return ctx.db.transaction().execute(async (trx) => {
    if (!(await lockUser(trx, user_id))) throw userNotFound()
    const concurrent = await findFavorite(trx, user_id, repository.id)
    if (concurrent) return { favorite: toFavorite(ctx, { ...concurrent, ...record }), created: false }
    await requireRoom(ctx, trx, viewer)
    const now = ctx.now()
    const favorite = { id: randomUUIDv7(), user_id, host_repo_id: repository.id, registered_at: now }
    await insertFavorite(trx, favorite)
    await updateWatched(trx, repository.id, now)
    const added = await findFavorite(trx, user_id, repository.id)
    if (!added) throw favoriteNotFound()
    return { favorite: toFavorite(ctx, { ...added, ...record }), created: true }
  })
}

/**
 * The number of favorites, and of those that count against the limit. A favorite does not count if this session is
 * denied it and no session of the account saw it within a day, because the user could not remove it.
 */
export async function countedFavorites(ctx: Context, db: Kysely<Schema>, viewer: Viewer) {
  const favorites = await findFavoriteChecks(db, audienceOf(ctx, viewer), viewer.user.id)
  const repositoryIds = await findShownTo(db, viewer, ctx.now())
  const counted = favorites.filter((favorite) => !favorite.denied || repositoryIds.has(favorite.host_repo_id))
  return { all: favorites.length, counted: counted.length }
}

/** Throws if the account has too many favorites. */
async function requireRoom(ctx: Context, db: Kysely<Schema>, viewer: Viewer): Promise<void> {
  const { all, counted } = await countedFavorites(ctx, db, viewer)
  if (all >= MAX_ROWS || counted >= MAX_FAVORITES)
    throw forbidden('favorite_limit', `An account holds at most ${MAX_FAVORITES} favorites.`, { limit: MAX_FAVORITES })
}

/** The favorites that this session may see. Stale visibility checks are repeated first. */
export async function shownFavorites(ctx: Context, viewer: Viewer) {
  const checks = await findFavoriteChecks(ctx.db, audienceOf(ctx, viewer), viewer.user.id)
  const stale = checks.filter((favorite) => favorite.stale).map((favorite) => favorite.host_repo_id)
  await recheckAccess(ctx, viewer, stale)
  const favorites = await findShownFavorites(ctx.db, audienceOf(ctx, viewer), viewer.user.id)
  checkUnverified(ctx, favorites)
  return favorites
}

export async function removeFavorite(ctx: Context, viewer: Viewer, name: Name): Promise<Favorite> {
  const favorite = await favoriteByName(ctx, viewer, name)
  const isDeleted = await ctx.db.transaction().execute(async (trx) => {
    if (!(await deleteFavorite(trx, favorite.id))) return false
    await updateWatched(trx, favorite.host_repo_id, ctx.now())
    return true
  })
  if (!isDeleted) throw favoriteNotFound()
  return toFavorite(ctx, favorite)
}

export async function updateFavorite(
  ctx: Context,
  viewer: Viewer,
  name: Name,
  { automaticArticles, includesBots }: UpdateFavoriteRequest,
): Promise<Favorite> {
  const favorite = await favoriteByName(ctx, viewer, name)
  const settings = {
    ...(automaticArticles !== undefined && { automatic_articles: automaticArticles }),
    ...(includesBots !== undefined && { includes_bots: includesBots }),
  }
  const updated = await ctx.db.transaction().execute(async (trx) => {
    if (!(await updateSettings(trx, favorite.id, settings))) return undefined
    await updateWatched(trx, favorite.host_repo_id, ctx.now())
    return findFavorite(trx, viewer.user.id, favorite.host_repo_id)
  })
  if (!updated) throw favoriteNotFound()
  return toFavorite(ctx, { ...favorite, ...updated })
}

export async function markFavoriteSeen(ctx: Context, viewer: Viewer, name: Name): Promise<Favorite> {
  const favorite = await favoriteByName(ctx, viewer, name)
  const seen_at = ctx.now()
  if (!(await updateSeen(ctx.db, viewer.user.id, favorite.host_repo_id, seen_at))) throw favoriteNotFound()
  return toFavorite(ctx, { ...favorite, seen_at, unread_count: 0 })
}

/**
 * Marks a favorite as seen when a page shows the repository's articles. Does nothing if the repository is not a
 * favorite.
 */
export async function markRepositorySeen(ctx: Context, viewer: Viewer, hostRepoId: number): Promise<void> {
  await updateSeen(ctx.db, viewer.user.id, hostRepoId, ctx.now())
}

/**
 * Finds a favorite by name. The code host is asked about a hidden favorite and about an unknown name alike, so that the
 * response does not reveal which it was.
 */
async function favoriteByName(ctx: Context, viewer: Viewer, name: Name) {
  const favorites = await findShownFavorites(ctx.db, audienceOf(ctx, viewer), viewer.user.id)
  const favorite = favorites.find((row) => sameName(row, name)) ?? (await favoriteByHost(ctx, viewer, name))
  if (!favorite) throw favoriteNotFound()
  return favorite
}

function favoriteNotFound(): Problem {
  return new Problem('NOT_FOUND', 'There is no such favorite.')
}

async function favoriteByHost(ctx: Context, viewer: Viewer, name: Name) {
  const { repository } = await repositoryFor(ctx, viewer, name)
  const favorite = repository && (await findFavorite(ctx.db, viewer.user.id, repository.id))
  return favorite && { ...favorite, ...toKnown(repository) }
}

function sameName(row: { owner: string; name: string }, { owner, repo }: Name): boolean {
  return row.owner.toLowerCase() === owner.toLowerCase() && row.name.toLowerCase() === repo.toLowerCase()
}

export function toFavorite(ctx: Context, row: FavoriteRow & Pick<KnownRepository, 'owner' | 'name'>): Favorite {
  return {
    id: row.id,
    userId: row.user_id,
    hostRepoId: row.host_repo_id,
    repositoryFullName: `${row.owner}/${row.name}`,
    owner: row.owner,
    repo: row.name,
    registeredAt: row.registered_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
    unreadCount: row.unread_count,
    automaticArticles: row.automatic_articles,
    includesBots: row.includes_bots,
    watched: row.is_watched && isWatching(ctx),
  }
}
