import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findListTimes } from '../../db/pulls/pullRequestLists.ts'
import type { KnownRepository } from '../../db/repositories/repositories.ts'
import { type ErrorCode, Problem } from '../../errors.ts'
import { HostRateLimited, HostUnavailable } from '../../host/errors.ts'
import { perContext } from '../../lib/perContext.ts'
import { ttlCache } from '../../lib/ttlCache.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'
import type { PageWithoutUrls } from '../../lib/withoutUrl.ts'
import type { Viewer } from '../accounts/session.ts'
import { shownFavorites } from '../favorites/favorites.ts'
import { isForbiddenByHost } from '../repositories/problems.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { isFresh, type ListedPull, newestFirst, type PullPage, refreshPage, shownPages } from './listPages.ts'
import { pagination, toSummaries } from './lists.ts'

/** The feed without the new articles, which do not come from the code host. */
export type PullRequestFeed = Omit<PageWithoutUrls<components['schemas']['FeedPage']>, 'newArticles'>
/** Error codes by repository id. */
type Failures = Map<number, ErrorCode>

/** Deadlines of the first, second and third page, so that a slow favorite leaves time for the next pages of others. */
const LIST_TIMEOUTS_MS = [2000, 2500, 3000]
/** Requests may take this much longer than their deadline: late responses are still stored for the next request. */
const GRACE_MS = 1000
const MISSED_LIST_TTL_MS = 60_000
const MAX_MISSED_LISTS = 10_000

interface PageRequest {
  repository: KnownRepository
  /** The time of the previous page: an older page would not match it. */
  notBefore: Date
}

/** The newest pull requests of all favorites. Favorites that fail or time out are listed as unavailable. */
export async function readFeed(ctx: Context, viewer: Viewer, limit: number, offset: number): Promise<PullRequestFeed> {
  const favorites = await shownFavorites(ctx, viewer)
  const started = performance.now()
  const failures: Failures = new Map()
  const lists: PullPage[] = []
  let merged: ListedPull[] = []
  let requests: PageRequest[] = favorites.map((repository) => ({ repository, notBefore: new Date(0) }))
  for (const [i, milliseconds] of LIST_TIMEOUTS_MS.entries()) {
    if (requests.length === 0) break
    const read = await readLists(ctx, viewer, requests, i + 1, started + milliseconds, failures)
    lists.push(...read)
    merged = newestFirst(lists)
    requests = read
      .filter((list) => mayHoldNewer(list, merged[offset + limit - 1]))
      .map(({ repository, askedAt }) => ({ repository, notBefore: askedAt }))
  }
  const lastPages = new Map(lists.map((list) => [list.repository.host_repo_id, list]))
  const moreExist = merged.length > offset + limit || lastPages.values().some((list) => list.hasMore)
  const firstPages = new Map(lists.toReversed().map((list) => [list.repository.host_repo_id, list]))
  return {
    data: await toSummaries(ctx, viewer, merged.slice(offset, offset + limit)),
    pagination: pagination(limit, offset, moreExist),
    unavailable: favorites.flatMap(({ host_repo_id, owner, name }) => {
      const code = failures.get(host_repo_id)
      const shownAsOf = firstPages.get(host_repo_id)?.askedAt.toISOString() ?? null
      return code ? [{ owner, repo: name, repositoryFullName: `${owner}/${name}`, code, shownAsOf }] : []
    }),
  }
}

/** Error codes of pages that could not be refreshed within the last minute, by session, repository and page. */
const missedListsOf = perContext(({ now }: Context) => ttlCache<ErrorCode>(now, MISSED_LIST_TTL_MS, MAX_MISSED_LISTS))

/** Reads one page per repository, after refreshing the stale ones. */
async function readLists(
  ctx: Context,
  viewer: Viewer,
  requests: PageRequest[],
  page: number,
  deadline: number,
  failures: Failures,
): Promise<PullPage[]> {
  const ids = requests.map(({ repository }) => repository.host_repo_id)
  const place = { state: 'all', page } as const
  const times = await findListTimes(ctx.db, audienceOf(ctx, viewer), ids, place)
  const askedAt = new Map(times.map((row) => [row.host_repo_id, row.asked_at]))
  const due = requests.filter(({ repository, notBefore }) => {
    const last = askedAt.get(repository.host_repo_id)
    const isCached = last !== undefined && isFresh(ctx, last) && last >= notBefore
    ctx.telemetry.metrics?.lookedUp('list', isCached)
    return !isCached
  })
  const boundedViewer = { ...viewer, until: Math.min(viewer.until, deadline + GRACE_MS) }
  const fatalErrors: unknown[] = []
  const pending = new Set(due.map(({ repository }) => repository.host_repo_id))
  const missedLists = missedListsOf(ctx)
  const keyOf = (hostRepoId: number) => `${viewer.id} ${hostRepoId} ${page}`
  const refreshes = due.map(async ({ repository }) => {
    const key = keyOf(repository.host_repo_id)
    const missed = missedLists.get(key)
    try {
      // The page could not be fetched within the last minute, or its request is still running.
      if (missed) {
        failures.set(repository.host_repo_id, missed)
        return
      }
      await refreshPage(ctx, boundedViewer, repository, place)
      missedLists.delete(key)
      failures.delete(repository.host_repo_id)
    } catch (error) {
      const code = favoriteErrorCode(error)
      if (code === undefined) fatalErrors.push(error)
      // The repository is gone or hidden: do not reveal its name.
      if (code === undefined || code === 'HOST_REPO_NOT_FOUND') return
      missedLists.set(key, code)
      failures.set(repository.host_repo_id, code)
    } finally {
      pending.delete(repository.host_repo_id)
    }
  })
  await waitAtMost(Math.max(0, deadline - performance.now()), refreshes)
  for (const hostRepoId of pending) {
    failures.set(hostRepoId, 'HOST_UNAVAILABLE')
    missedLists.set(keyOf(hostRepoId), 'HOST_UNAVAILABLE')
  }
  if (fatalErrors.length > 0) throw fatalErrors[0]
  return shownPages(ctx, viewer, ids, place)
}

/** The error code of a single favorite; undefined for an error that concerns the whole request. */
function favoriteErrorCode(error: unknown): ErrorCode | undefined {
  if (error instanceof HostUnavailable) return 'HOST_UNAVAILABLE'
  if (error instanceof HostRateLimited) return 'RATE_LIMITED'
  if (!(error instanceof Problem)) return undefined
  return error.code === 'HOST_REPO_NOT_FOUND' || isForbiddenByHost(error) ? error.code : undefined
}

/** Whether the next page of a list may hold an item newer than the last requested one. */
function mayHoldNewer({ hasMore, items }: PullPage, last: ListedPull | undefined): boolean {
  const oldest = items.at(-1)?.createdAt
  return hasMore && oldest !== undefined && (last === undefined || oldest >= last.item.createdAt)
}
