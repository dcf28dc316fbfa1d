import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { findEtag, upsertEtag } from '../../db/pulls/etags.ts'
import {
  findListVersion,
  findShownLists,
  type ListKey,
  touchList,
  upsertList,
} from '../../db/pulls/pullRequestLists.ts'
import { type KnownRepository, recordAnswer } from '../../db/repositories/repositories.ts'
import { HostForbidden, HostUnavailable } from '../../host/errors.ts'
import type { HostPage } from '../../host/paginate.ts'
import type { HostSummary } from '../../host/pullRequest.ts'
import type { ListAt } from '../../host/pullRequests.ts'
import { isRecent } from '../../lib/clock.ts'
import { perContext } from '../../lib/perContext.ts'
import { singleFlight } from '../../lib/singleFlight.ts'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import { forbiddenByHost } from '../repositories/forbiddenByHost.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { audienceOf, toKnown } from '../repositories/visibility.ts'

type Place = Pick<ListAt, 'state' | 'page'>
type Item = Omit<HostSummary, 'repository'>

/** A page of a repository's pull requests, as of `askedAt`. */
export interface PullPage {
  repository: KnownRepository
  items: Item[]
  hasMore: boolean
  askedAt: Date
}

export interface ListedPull {
  repository: KnownRepository
  item: Item
}

const FRESH_MS = 60_000

/**
 * Returns a page that was fetched within the last minute, and not before `notBefore`, the time of the previous page.
 */
export async function freshPage(
  ctx: Context,
  viewer: Viewer,
  repository: KnownRepository,
  place: Place,
  notBefore: Date = new Date(0),
): Promise<PullPage> {
  const ids = [repository.host_repo_id]
  const [cached] = await shownPages(ctx, viewer, ids, place)
  const isCached = cached !== undefined && isFresh(ctx, cached.askedAt) && cached.askedAt >= notBefore
  ctx.telemetry.metrics?.lookedUp('list', isCached)
  if (isCached) return cached
  await refreshPage(ctx, viewer, repository, place).catch((error) => {
    // Serve the stale page while the code host is down. Private pages still need a valid visibility check.
    if (!(error instanceof HostUnavailable) || !cached) throw error
  })
  const [list] = await shownPages(ctx, viewer, ids, place)
  if (!list) throw repositoryNotFound()
  return list
}

export function isFresh(ctx: Context, askedAt: Date): boolean {
  return isRecent(askedAt, ctx.now(), FRESH_MS)
}

export async function shownPages(ctx: Context, viewer: Viewer, ids: number[], place: Place): Promise<PullPage[]> {
  const rows = await findShownLists(ctx.db, audienceOf(ctx, viewer), ids, place)
  return rows.map(({ host_repo_id, owner, name, private: hidden, asked_at, has_more, document }) => ({
    repository: { host_repo_id, owner, name, private: hidden },
    items: JSON.parse(document),
    hasMore: has_more,
    askedAt: asked_at,
  }))
}

/**
 * Merges pages, newest pull requests first, without duplicates: an item may have moved to another page between two
 * requests.
 */
export function newestFirst(lists: PullPage[]): ListedPull[] {
  const listed = new Map<string, ListedPull>()
  for (const { repository, items } of lists)
    for (const item of items) listed.set(`${repository.host_repo_id} ${item.number}`, { repository, item })
  return [...listed.values()].sort((a, b) => compare(b, a))
}

function compare(a: ListedPull, b: ListedPull): number {
  if (a.item.createdAt !== b.item.createdAt) return a.item.createdAt < b.item.createdAt ? -1 : 1
  return a.repository.host_repo_id - b.repository.host_repo_id || a.item.number - b.item.number
}

/** Running refreshes by session and page, so that concurrent callers share one. */
const refreshes = perContext(() => singleFlight<void>())

/**
 * Fetches a page with the viewer's token. A page that is unchanged since this session saw it does not count against the
 * rate limit.
 */
export async function refreshPage(
  ctx: Context,
  viewer: Viewer,
  repository: KnownRepository,
  place: Place,
): Promise<void> {
  const key: ListKey = { host_repo_id: repository.host_repo_id, ...place }
  return refreshes(ctx)(`${viewer.id} ${resourceOf(key)}`, async () => {
    const stored = await findListVersion(ctx.db, key)
    // A page stored while the repository was private must not be shown after it became public: fetch it again.
    const version = stored?.private === repository.private ? stored.version : undefined
    const seen = version ? { session_id: viewer.id, resource: resourceOf(key), version } : null
    const etag = seen && (await findEtag(ctx.db, seen))
    const askedAt = ctx.now()
    const at = { hostRepoId: repository.host_repo_id, ...place }
    const answer = await askHost(ctx, viewer, (credential) => ctx.host.pullRequests(credential, at, etag)).catch(
      async (error) => {
        if (!(error instanceof HostForbidden)) throw error
        const problem = await forbiddenByHost(ctx, { hostRepoId: repository.host_repo_id }, error)
        if (problem) throw problem
        return null
      },
    )
    const record = (visible: KnownRepository | null) =>
      recordAnswer(ctx.db, {
        ...{ sessionId: viewer.id, hostRepoId: repository.host_repo_id, repository: visible },
        ...{ askedAt, heardAt: ctx.now() },
      })
    if (!answer) {
      await record(null)
      throw repositoryNotFound()
    }
    const [first] = answer.unchanged ? [] : answer.value.items
    // An answer without items proves only this session's access, not that the repository is public.
    if (first) await record(toKnown(first.repository))
    else if (repository.private) await record(repository)
    if (!answer.unchanged) return storePage(ctx, viewer, key, answer, askedAt, first?.repository ?? repository)
    if (version !== undefined) await touchList(ctx.db, key, version, askedAt, ctx.now())
  })
}

async function storePage(
  ctx: Context,
  viewer: Viewer,
  key: ListKey,
  { value: { items, hasMore }, etag }: { value: HostPage<HostSummary>; etag: string | null },
  askedAt: Date,
  repository: { private: boolean },
): Promise<void> {
  const document = JSON.stringify(items.map(({ repository: _, ...item }) => item))
  const version = createHash('sha256').update(`${repository.private} ${hasMore} ${document}`).digest('base64url')
  const row = { ...key, private: repository.private, version, asked_at: askedAt, has_more: hasMore, document }
  await upsertList(ctx.db, row, ctx.now())
  if (etag)
    await upsertEtag(ctx.db, {
      ...{ session_id: viewer.id, resource: resourceOf(key) },
      ...{ etag, version, seen_at: askedAt },
    })
}

function resourceOf({ host_repo_id, state, page }: ListKey): string {
  return `pulls ${host_repo_id} ${state} ${page}`
}
