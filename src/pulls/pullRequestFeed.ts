import type { components } from '../../generated/api.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findListTimes } from '../db/pulls/pullRequestLists.ts'
import type { KnownRepository } from '../db/repositories/repositories.ts'
import { type ErrorCode, Problem } from '../errors.ts'
import { shownFavorites } from '../favorites/favorites.ts'
import { HostRateLimited, HostUnavailable } from '../host/errors.ts'
import { waitAtMost } from '../lib/waitAtMost.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { isFresh, type Listed, type ListPage, newestFirst, refreshPage, shownPages } from './listPages.ts'
import { pagination, toSummaries } from './lists.ts'

type FeedPage = components['schemas']['FeedPage']
/** Why some favorites were not heard about. */
type Failures = Map<number, ErrorCode>

/** How long after the start each page of the lists is waited for: a slow favorite leaves time for others' next pages. */
const LIST_TIMEOUTS_MS = [2000, 2500, 3000]
/** What comes a little late counts the next time. */
const GRACE_MS = 1000

interface Asked {
  repository: KnownRepository
  /** The time of its page before: an older page would not join it. */
  notBefore: Date
}

/** The newest pull requests over all favorites. What the code host does not answer in time is named, and spoils nothing. */
export async function readFeed(ctx: Context, viewer: Viewer, limit: number, offset: number): Promise<FeedPage> {
  const favorites = await shownFavorites(ctx, viewer)
  const started = performance.now()
  const failures: Failures = new Map()
  const lists: ListPage[] = []
  let merged: Listed[] = []
  let asked: Asked[] = favorites.map((repository) => ({ repository, notBefore: new Date(0) }))
  for (const [i, milliseconds] of LIST_TIMEOUTS_MS.entries()) {
    if (asked.length === 0) break
    const read = await readLists(ctx, viewer, asked, i + 1, started + milliseconds, failures)
    lists.push(...read)
    merged = newestFirst(lists)
    asked = read
      .filter((list) => mayReach(list, merged[offset + limit - 1]))
      .map(({ repository, askedAt }) => ({ repository, notBefore: askedAt }))
  }
  const lastPages = new Map(lists.map((list) => [list.repository.host_repo_id, list]))
  const isThereMore = merged.length > offset + limit || lastPages.values().some((list) => list.hasMore)
  const firstPages = new Map(lists.toReversed().map((list) => [list.repository.host_repo_id, list]))
  return {
    data: await toSummaries(ctx, merged.slice(offset, offset + limit)),
    pagination: pagination(limit, offset, isThereMore),
    unavailable: favorites.flatMap(({ host_repo_id, owner, name }) => {
      const code = failures.get(host_repo_id)
      const shownAsOf = firstPages.get(host_repo_id)?.askedAt.toISOString() ?? null
      return code ? [{ owner, repo: name, repositoryFullName: `${owner}/${name}`, code, shownAsOf }] : []
    }),
  }
}

/** A page of the list of each of some repositories, after those that are not fresh were asked for anew. */
async function readLists(
  ctx: Context,
  viewer: Viewer,
  asked: Asked[],
  page: number,
  until: number,
  failures: Failures,
): Promise<ListPage[]> {
  const ids = asked.map(({ repository }) => repository.host_repo_id)
  const place = { state: 'all', page } as const
  const times = await findListTimes(ctx.db, audienceOf(ctx, viewer), ids, place)
  const askedAt = new Map(times.map((row) => [row.host_repo_id, row.asked_at]))
  const due = asked.filter(({ repository, notBefore }) => {
    const last = askedAt.get(repository.host_repo_id)
    const isThere = last !== undefined && isFresh(ctx, last) && last >= notBefore
    ctx.metrics?.lookedUp('list', isThere)
    return !isThere
  })
  const hurried = { ...viewer, until: Math.min(viewer.until, until + GRACE_MS) }
  const refused: unknown[] = []
  const unanswered = new Set(due.map(({ repository }) => repository.host_repo_id))
  const keyOf = (hostRepoId: number) => `${viewer.id} ${hostRepoId} ${page}`
  const asking = due.map(async ({ repository }) => {
    const key = keyOf(repository.host_repo_id)
    const missed = ctx.missedLists.get(key)
    try {
      // It failed within the minute, or is still on its way since then.
      if (missed) {
        failures.set(repository.host_repo_id, missed)
        return
      }
      await refreshPage(ctx, hurried, repository, place)
      ctx.missedLists.delete(key)
      failures.delete(repository.host_repo_id)
    } catch (error) {
      const code = ofFavorite(error)
      if (code === undefined) refused.push(error)
      // Gone or hidden: it is nobody's to name, and will not be shown.
      if (code === undefined || code === 'HOST_REPO_NOT_FOUND') return
      ctx.missedLists.set(key, code)
      failures.set(repository.host_repo_id, code)
    } finally {
      unanswered.delete(repository.host_repo_id)
    }
  })
  await waitAtMost(Math.max(0, until - performance.now()), asking)
  for (const hostRepoId of unanswered) {
    failures.set(hostRepoId, 'HOST_UNAVAILABLE')
    ctx.missedLists.set(keyOf(hostRepoId), 'HOST_UNAVAILABLE')
  }
  if (refused.length > 0) throw refused[0]
  return shownPages(ctx, viewer, ids, place)
}

/** What kept one favorite from being heard about; undefined where the trouble is not a favorite's. */
function ofFavorite(error: unknown): ErrorCode | undefined {
  if (error instanceof HostUnavailable) return 'HOST_UNAVAILABLE'
  if (error instanceof HostRateLimited) return 'RATE_LIMITED'
  return error instanceof Problem && error.code === 'HOST_REPO_NOT_FOUND' ? error.code : undefined
}

/** Whether the next page of a list may hold something newer than the last one that is wanted. */
function mayReach({ hasMore, items }: ListPage, last: Listed | undefined): boolean {
  const oldest = items.at(-1)?.createdAt
  return hasMore && oldest !== undefined && (last === undefined || oldest >= last.item.createdAt)
}
