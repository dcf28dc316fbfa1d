import { createHash } from 'node:crypto'
import type { components } from '../../generated/api.ts'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findWithArticle } from '../db/articles.ts'
import { findEtag, upsertEtag } from '../db/etags.ts'
import { findListVersion, findShownLists, type ListKey, touchList, upsertList } from '../db/pullRequestLists.ts'
import { findShownRepository, type KnownRepository, type Name, recordAnswer } from '../db/repositories.ts'
import { Problem } from '../errors.ts'
import type { HostSummary } from '../host/pullRequest.ts'
import type { ListAt } from '../host/pullRequests.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { audienceOf, toKnown } from '../repositories/visibility.ts'
import { askForRepository } from './read.ts'

type Summary = components['schemas']['PullRequestSummary']
type Place = Pick<ListAt, 'state' | 'page'>
export type Repository = Pick<KnownRepository, 'host_repo_id' | 'owner' | 'name'>

/** A page of a list, as it was when the code host was asked. */
export interface List {
  repository: Repository
  items: HostSummary[]
  hasMore: boolean
  askedAt: Date
}

export interface Listed {
  repository: Repository
  item: HostSummary
}

export const PAGE_LENGTH = 100
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
  const repository =
    (await findShownRepository(ctx.db, audienceOf(ctx, viewer), name)) ?? (await askAndFind(ctx, viewer, name))
  const items: HostSummary[] = []
  let hasMore = true
  const firstPage = Math.floor(offset / PAGE_LENGTH) + 1
  for (let page = firstPage; hasMore && (page - 1) * PAGE_LENGTH < offset + limit; page++) {
    const list = await freshList(ctx, viewer, repository, { state, page })
    items.push(...list.items)
    hasMore = list.hasMore
  }
  const start = offset - (firstPage - 1) * PAGE_LENGTH
  const shown = items.slice(start, start + limit).map((item) => ({ repository, item }))
  return {
    data: await toSummaries(ctx, shown),
    pagination: pagination(limit, offset, hasMore || items.length > start + limit),
  }
}

async function askAndFind(ctx: Context, viewer: Viewer, name: Name): Promise<Repository> {
  const hostRepoId = await askForRepository(ctx, viewer, name)
  const found = await findShownRepository(ctx.db, audienceOf(ctx, viewer), { hostRepoId })
  if (!found) throw repositoryNotFound()
  return found
}

async function freshList(ctx: Context, viewer: Viewer, repository: Repository, place: Place): Promise<List> {
  const [known] = await shownLists(ctx, viewer, [repository.host_repo_id], place)
  if (known && isFresh(ctx, known)) return known
  await refreshList(ctx, viewer, repository, place)
  const [list] = await shownLists(ctx, viewer, [repository.host_repo_id], place)
  if (!list) throw repositoryNotFound()
  return list
}

export function isFresh(ctx: Context, { askedAt }: List): boolean {
  return ctx.now().getTime() - askedAt.getTime() < FRESH_MILLISECONDS
}

export async function shownLists(ctx: Context, viewer: Viewer, ids: number[], place: Place): Promise<List[]> {
  const rows = await findShownLists(ctx.db, audienceOf(ctx, viewer), ids, place)
  return rows.map(({ host_repo_id, owner, name, asked_at, has_more, document }) => ({
    repository: { host_repo_id, owner, name },
    items: JSON.parse(document),
    hasMore: has_more,
    askedAt: asked_at,
  }))
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
    if (!answer) return deny(ctx, viewer, key.host_repo_id, askedAt)
    if (answer.unchanged) return version === undefined ? undefined : touchList(ctx.db, key, version, askedAt)
    await keepList(ctx, viewer, key, answer, askedAt)
  })
}

async function keepList(
  ctx: Context,
  viewer: Viewer,
  key: ListKey,
  { value: { items, hasMore }, etag }: { value: { items: HostSummary[]; hasMore: boolean }; etag: string | null },
  askedAt: Date,
): Promise<void> {
  const repository = items[0]?.repository
  if (repository)
    await recordAnswer(ctx.db, {
      sessionId: viewer.id,
      hostRepoId: repository.id,
      repository: toKnown(repository),
      askedAt,
    })
  const document = JSON.stringify(items)
  const version = createHash('sha256').update(`${hasMore} ${document}`).digest('base64url')
  await upsertList(ctx.db, { ...key, version, asked_at: askedAt, has_more: hasMore, document })
  if (etag) await upsertEtag(ctx.db, { session_id: viewer.id, resource: resourceOf(key), etag, version })
}

async function deny(ctx: Context, viewer: Viewer, hostRepoId: number, askedAt: Date): Promise<never> {
  await recordAnswer(ctx.db, { sessionId: viewer.id, hostRepoId, repository: null, askedAt })
  throw repositoryNotFound()
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
