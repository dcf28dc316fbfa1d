import { createHash } from 'node:crypto'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findEtag, upsertEtag } from '../db/pulls/etags.ts'
import { findListVersion, findShownLists, type ListKey, touchList, upsertList } from '../db/pulls/pullRequestLists.ts'
import { type KnownRepository, recordAnswer } from '../db/repositories/repositories.ts'
import { HostUnavailable } from '../host/errors.ts'
import type { HostPage } from '../host/paginate.ts'
import type { HostSummary } from '../host/pullRequest.ts'
import type { ListAt } from '../host/pullRequests.ts'
import { isRecent } from '../lib/clock.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { audienceOf, toKnown } from '../repositories/visibility.ts'

type Place = Pick<ListAt, 'state' | 'page'>
type Item = Omit<HostSummary, 'repository'>

/** A page of a repository's list, as it was when the code host was asked. */
export interface ListPage {
  repository: KnownRepository
  items: Item[]
  hasMore: boolean
  askedAt: Date
}

export interface Listed {
  repository: KnownRepository
  item: Item
}

const FRESH_MS = 60_000

/** A page that is joined to others is not older than those before it. */
export async function freshPage(
  ctx: Context,
  viewer: Viewer,
  repository: KnownRepository,
  place: Place,
  notBefore: Date = new Date(0),
): Promise<ListPage> {
  const ids = [repository.host_repo_id]
  const [known] = await shownPages(ctx, viewer, ids, place)
  const isThere = known !== undefined && isFresh(ctx, known.askedAt) && known.askedAt >= notBefore
  ctx.metrics?.lookedUp('list', isThere)
  if (isThere) return known
  await refreshPage(ctx, viewer, repository, place).catch((error) => {
    // What is known stays readable while the code host is down; of what is private, as long as it is proven.
    if (!(error instanceof HostUnavailable) || !known) throw error
  })
  const [list] = await shownPages(ctx, viewer, ids, place)
  if (!list) throw repositoryNotFound()
  return list
}

export function isFresh(ctx: Context, askedAt: Date): boolean {
  return isRecent(askedAt, ctx.now(), FRESH_MS)
}

export async function shownPages(ctx: Context, viewer: Viewer, ids: number[], place: Place): Promise<ListPage[]> {
  const rows = await findShownLists(ctx.db, audienceOf(ctx, viewer), ids, place)
  return rows.map(({ host_repo_id, owner, name, private: hidden, asked_at, has_more, document }) => ({
    repository: { host_repo_id, owner, name, private: hidden },
    items: JSON.parse(document),
    hasMore: has_more,
    askedAt: asked_at,
  }))
}

/** All that some lists hold, each once: between two pages something may have moved from one to the other. */
export function newestFirst(lists: ListPage[]): Listed[] {
  const listed = new Map<string, Listed>()
  for (const { repository, items } of lists)
    for (const item of items) listed.set(`${repository.host_repo_id} ${item.number}`, { repository, item })
  return [...listed.values()].sort((one, other) => compare(other, one))
}

function compare(one: Listed, other: Listed): number {
  if (one.item.createdAt !== other.item.createdAt) return one.item.createdAt < other.item.createdAt ? -1 : 1
  return one.repository.host_repo_id - other.repository.host_repo_id || one.item.number - other.item.number
}

/** Asks the code host for a page of a list, as the viewer: for nothing, where it is still as this session saw it. */
export async function refreshPage(
  ctx: Context,
  viewer: Viewer,
  repository: KnownRepository,
  place: Place,
): Promise<void> {
  const key: ListKey = { host_repo_id: repository.host_repo_id, ...place }
  return ctx.oneQuestionAtATime(`${viewer.id} ${resourceOf(key)}`, async () => {
    const stored = await findListVersion(ctx.db, key)
    // An empty list is the same in private and in public, but what was read in private is not shown in public.
    const version = stored?.private === repository.private ? stored.version : undefined
    const seen = version ? { session_id: viewer.id, resource: resourceOf(key), version } : null
    const etag = seen && (await findEtag(ctx.db, seen))
    const askedAt = ctx.now()
    const at = { hostRepoId: repository.host_repo_id, ...place }
    const answer = await askHost(ctx, viewer, (credential) => ctx.host.pullRequests(credential, at, etag))
    const remember = (said: KnownRepository | null) =>
      recordAnswer(ctx.db, {
        ...{ sessionId: viewer.id, hostRepoId: repository.host_repo_id, repository: said },
        ...{ askedAt, heardAt: ctx.now() },
      })
    if (!answer) {
      await remember(null)
      throw repositoryNotFound()
    }
    const [first] = answer.unchanged ? [] : answer.value.items
    // An answer that does not show the repository proves this session's access to it, and nothing to others.
    if (first) await remember(toKnown(first.repository))
    else if (repository.private) await remember(repository)
    if (!answer.unchanged) return keepPage(ctx, viewer, key, answer, askedAt, first?.repository ?? repository)
    if (version !== undefined) await touchList(ctx.db, key, version, askedAt, ctx.now())
  })
}

async function keepPage(
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
