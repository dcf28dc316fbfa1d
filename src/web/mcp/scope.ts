import type { Context } from '../../context.ts'
import type { Name } from '../../db/repositories/repositories.ts'
import type { Viewer } from '../../domain/accounts/session.ts'
import { shownFavorites } from '../../domain/favorites/favorites.ts'
import { countOf } from './entries.ts'
import { requireRepository } from './places.ts'

/** The repositories that a question is about. */
export interface Scope {
  /** For the text of the answer. */
  label: string
  /** Set if the question is about one repository. */
  name?: Name
  filter: { repository?: string; hostRepoIds?: number[] }
}

/** The named repository; without a name, the viewer's favorites; without favorites, all repositories with articles. */
export async function scopeOf(
  ctx: Context,
  viewer: Viewer | undefined,
  repository: string | undefined,
): Promise<Scope> {
  if (repository !== undefined) {
    const name = await requireRepository(ctx, viewer, repository)
    const fullName = `${name.owner}/${name.repo}`
    return { label: fullName, name, filter: { repository: fullName } }
  }
  const favorites = viewer ? await shownFavorites(ctx, viewer) : []
  if (favorites.length === 0) return { label: 'All repositories with articles', filter: {} }
  const hostRepoIds = favorites.map(({ host_repo_id }) => host_repo_id)
  return { label: countOf(favorites.length, 'favorite'), filter: { hostRepoIds } }
}
