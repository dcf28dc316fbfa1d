import { createHash } from 'node:crypto'
import type { components } from '../../generated/api.ts'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findWithArticle } from '../db/articles.ts'
import { findEtag, upsertEtag } from '../db/etags.ts'
import { findListVersion, findShownLists, type ListKey, touchList, upsertList } from '../db/pullRequestLists.ts'
import {
  findShownRepository,
  type KnownRepository,
  type Name,
  type RepositoryKey,
  recordAnswer,
} from '../db/repositories.ts'
import { Problem } from '../errors.ts'
import type { Page } from '../host/pages.ts'
import type { HostSummary } from '../host/pullRequest.ts'
import type { ListAt } from '../host/pullRequests.ts'
import { askForRepository } from '../repositories/askForRepository.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { onceProven } from '../repositories/publicProof.ts'
import { audienceOf, toKnown } from '../repositories/visibility.ts'

type Summary = components['schemas']['PullRequestSummary']
type Place = Pick<ListAt, 'state' | 'page'>
type Item = Omit<HostSummary, 'repository'>
export type Repository = KnownRepository

/** A page of a list, as it was when the code host was asked. */
export interface List {
  repository: Repository
  items: Item[]
  hasMore: boolean
  askedAt: Date
}

export interface Listed {
  repository: Repository
  item: Item
}

const PAGE_LENGTH = 100
const REACH = 300
const FRESH_MILLISECONDS = 60_000

/** How far lists of the code host's can be asked for. */
export function requireReach(limit: number, offset: number): void {
  if (offset + limit <= REACH) return
  const message = `offset and limit reach up to ${REACH}`
  throw new Problem('VALIDATION_ERROR', 'The request does not fit the contract.', {
    details: { issues: [{ in: 'querystring', path: '/offset', message }] },
  })
}

export function pagination(limit: number, offset: number, isThereMore: boolean) {
  return { totalItems: null, limit, offset, hasMore: isThereMore && offset + limit < REACH }
}

/** A repository's pull requests from `offset` on, of lists that are at most a minute old. */
export async function listPullRequests(
  ctx: Context,
  viewer: Viewer,
  name: Name,
  { state, limit, offset }: { state: ListAt['state']; limit: number; offset: number },
) {
  const find = (by: RepositoryKey) => findShownRepository(ctx.db, audienceOf(ctx, viewer), by)
  const repository =
    (await onceProven(ctx, name, () => find(name))) ??
    (await find({ hostRepoId: await askForRepository(ctx, viewer, name) }))
  if (!repository) throw repositoryNotFound()
  const lists: List[] = []
  const firstPage = Math.floor(offset / PAGE_LENGTH) + 1
  for (let page = firstPage; (page - 1) * PAGE_LENGTH < offset + limit; page++) {
    const before = lists.at(-1)
    if (before && !before.hasMore) break
    lists.push(await freshList(ctx, viewer, repository, { state, page }, before?.askedAt))
  }
  const listed = newestFirst(lists)
  const start = offset - (firstPage - 1) * PAGE_LENGTH
  const hasMore = lists.at(-1)?.hasMore === true || listed.length > start + limit
  return {
    data: await toSummaries(ctx, listed.slice(start, start + limit)),
    pagination: pagination(limit, offset, hasMore),
  }
}

/** A page that is joined to others is not older than those before it. */
async function freshList(
  ctx: Context,
  viewer: Viewer,
  repository: Repository,
  place: Place,
  notBefore: Date = new Date(0),
): Promise<List> {
  const ids = [repository.host_repo_id]
  const [known] = await shownLists(ctx, viewer, ids, place)
  if (known && isFresh(ctx, known.askedAt) && known.askedAt >= notBefore) return known
  await refreshList(ctx, viewer, repository, place)
  const [list] = await shownLists(ctx, viewer, ids, place)
  if (!list) throw repositoryNotFound()
  return list
}

export function isFresh(ctx: Context, askedAt: Date): boolean {
  return ctx.now().getTime() - askedAt.getTime() < FRESH_MILLISECONDS
}

export async function shownLists(ctx: Context, viewer: Viewer, ids: number[], place: Place): Promise<List[]> {
  const rows = await findShownLists(ctx.db, audienceOf(ctx, viewer), ids, place)
  return rows.map(({ host_repo_id, owner, name, private: hidden, asked_at, has_more, document }) => ({
    repository: { host_repo_id, owner, name, private: hidden },
    items: JSON.parse(document),
    hasMore: has_more,
    askedAt: asked_at,
  }))
}

/** All that some lists hold, each once: between two pages something may have moved from one to the other. */
export function newestFirst(lists: List[]): Listed[] {
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
export async function refreshList(ctx: Context, viewer: Viewer, repository: Repository, place: Place): Promise<void> {
  const key: ListKey = { host_repo_id: repository.host_repo_id, ...place }
  return ctx.oneQuestionAtATime(`${viewer.id} ${resourceOf(key)}`, async () => {
    const version = await findListVersion(ctx.db, key)
    const seen = version ? { session_id: viewer.id, resource: resourceOf(key), version } : null
    const etag = seen && (await findEtag(ctx.db, seen))
    const askedAt = ctx.now()
    const at = { hostRepoId: repository.host_repo_id, ...place }
    const answer = await askHost(ctx, viewer, (caller) => ctx.host.pullRequests(caller, at, etag))
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
    if (!answer.unchanged) return keepList(ctx, viewer, key, answer, askedAt, first?.repository ?? repository)
    if (version !== undefined) await touchList(ctx.db, key, version, askedAt)
  })
}

async function keepList(
  ctx: Context,
  viewer: Viewer,
  key: ListKey,
  { value: { items, hasMore }, etag }: { value: Page<HostSummary>; etag: string | null },
  askedAt: Date,
  repository: { private: boolean },
): Promise<void> {
  const document = JSON.stringify(items.map(({ repository: _, ...item }) => item))
  const version = createHash('sha256').update(`${repository.private} ${hasMore} ${document}`).digest('base64url')
  const row = { ...key, private: repository.private, version, asked_at: askedAt, has_more: hasMore, document }
  await upsertList(ctx.db, row)
  if (etag)
    await upsertEtag(ctx.db, {
      ...{ session_id: viewer.id, resource: resourceOf(key) },
      ...{ etag, version, seen_at: askedAt },
    })
}

function resourceOf({ host_repo_id, state, page }: ListKey): string {
  return `pulls ${host_repo_id} ${state} ${page}`
}

export async function toSummaries(ctx: Context, listed: Listed[]): Promise<Summary[]> {
  const keys = listed.map(({ repository, item }) => ({ host_repo_id: repository.host_repo_id, number: item.number }))
  const articles = await findWithArticle(ctx.db, keys)
  const articled = new Set(articles.map(({ host_repo_id, number }) => `${host_repo_id} ${number}`))
  return listed.map(({ repository: { host_repo_id, owner, name }, item }) => ({
    prNumber: item.number,
    owner,
    repo: name,
    repositoryFullName: `${owner}/${name}`,
    hostPrUrl: item.url,
    title: item.title,
    authorLogin: item.author,
    state: item.state,
    merged: item.merged,
    draft: item.draft,
    hostPrCreatedAt: item.createdAt,
    hostPrUpdatedAt: item.updatedAt,
    articleExists: articled.has(`${host_repo_id} ${item.number}`),
  }))
}
