import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findFavoriteIds } from '../../db/favorites/favorites.ts'
import { findHiddenRepositories } from '../../db/hiding/hidden.ts'
import { Problem } from '../../errors.ts'
import type { HostSearch } from '../../host/codeHost.ts'
import type { HostCredential } from '../../host/credential.ts'
import { cursorAt, offsetOf } from '../../lib/cursor.ts'
import { perContext } from '../../lib/perContext.ts'
import { Secret } from '../../lib/secret.ts'
import { ttlCache } from '../../lib/ttlCache.ts'
import type { PageWithoutUrls } from '../../lib/withoutUrl.ts'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'

export type FoundRepositories = PageWithoutUrls<components['schemas']['FoundRepositories']>

/** The list ends here, so that one cached search serves all its pages. */
const MAX_FOUND = 30
const SEARCH_TTL_MS = 60_000
const MAX_SEARCHES = 500

/** Results by session, token and query. */
const foundOf = perContext(({ now }: Context) => ttlCache<HostSearch>(now, SEARCH_TTL_MS, MAX_SEARCHES))

export async function searchHostRepositories(
  ctx: Context,
  viewer: Viewer,
  query: { q: string; limit: number; cursor?: string | undefined },
): Promise<FoundRepositories> {
  const { q, limit } = query
  const start = offsetOf(query)
  const result = await askHost(ctx, viewer, (credential) => search(ctx, viewer, credential, q.trim()))
  if (!result) throw new Problem('VALIDATION_ERROR', 'The code host rejects this search.')
  const hidden = await findHiddenRepositories(
    ctx.db,
    result.repositories.map(({ id }) => id),
  )
  const shown = result.repositories.filter(({ id }) => !hidden.has(id))
  const repositories = shown.slice(start, start + limit)
  const ids = repositories.map(({ id }) => id)
  const favorites = await findFavoriteIds(ctx.db, viewer.user.id, ids)
  const data = repositories.map(({ id, owner, name, description, private: isPrivate, stars }) => ({
    hostRepoId: id,
    repositoryFullName: `${owner}/${name}`,
    owner,
    repo: name,
    description,
    private: isPrivate,
    starCount: stars,
    favorite: favorites.has(id),
  }))
  const pagination = { limit, nextCursor: cursorAt(start + limit, shown.length > start + limit) }
  return { data, pagination, isIncomplete: result.isIncomplete }
}

/** Results may name private repositories: they are cached for this session and token only. */
async function search(
  ctx: Context,
  viewer: Viewer,
  credential: HostCredential,
  query: string,
): Promise<HostSearch | null> {
  const token = new Secret(credential.token ?? '').sha256().toString('base64')
  const key = `${viewer.id} ${token} ${query}`
  const cache = foundOf(ctx)
  const cached = cache.get(key)
  if (cached) return cached
  const result = await ctx.host.searchRepositories(credential, query, MAX_FOUND)
  if (result) cache.set(key, result)
  return result
}
