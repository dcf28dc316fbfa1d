import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { findArticlesOf } from '../../db/articles/articles.ts'
import { findShownRepository, type Name, type RepositoryKey } from '../../db/repositories/repositories.ts'
import { Problem } from '../../errors.ts'
import type { ListAt } from '../../host/pullRequests.ts'
import { cursorAt } from '../../lib/cursor.ts'
import type { WithoutUrl } from '../../lib/withoutUrl.ts'
import type { Viewer } from '../accounts/session.ts'
import { findByName } from '../repositories/askForRepository.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { freshPage, type ListedPull, newestFirst, type PullPage } from './listPages.ts'

export type Summary = WithoutUrl<components['schemas']['PullRequestSummary']>

const PAGE_LENGTH = 100
const MAX_OFFSET_PLUS_LIMIT = 300

/** Limits how far callers can paginate through lists of the code host. */
export function requireReach(limit: number, offset: number): void {
  if (offset + limit <= MAX_OFFSET_PLUS_LIMIT) return
  const message = `offset + limit must be at most ${MAX_OFFSET_PLUS_LIMIT}`
  throw new Problem('VALIDATION_ERROR', 'The request does not fit the contract.', {
    details: { issues: [{ in: 'querystring', path: '/offset', message }] },
  })
}

export function pagination(limit: number, offset: number, moreExist: boolean) {
  const hasMore = moreExist && offset + limit < MAX_OFFSET_PLUS_LIMIT
  return { totalItems: null, limit, offset, hasMore, nextCursor: cursorAt(offset + limit, hasMore) }
}

/** A repository's pull requests from `offset` on, at most a minute old. */
export async function listPullRequests(
  ctx: Context,
  viewer: Viewer,
  name: Name,
  { state, limit, offset }: { state: ListAt['state']; limit: number; offset: number },
) {
  const find = (by: RepositoryKey) => findShownRepository(ctx.db, audienceOf(ctx, viewer), by)
  const repository = await findByName(ctx, viewer, name, find)
  const pages: PullPage[] = []
  const firstPage = Math.floor(offset / PAGE_LENGTH) + 1
  for (let page = firstPage; (page - 1) * PAGE_LENGTH < offset + limit; page++) {
    const before = pages.at(-1)
    if (before && !before.hasMore) break
    pages.push(await freshPage(ctx, viewer, repository, { state, page }, before?.askedAt))
  }
  const listed = newestFirst(pages)
  const start = offset - (firstPage - 1) * PAGE_LENGTH
  const hasMore = pages.at(-1)?.hasMore === true || listed.length > start + limit
  return {
    data: await toSummaries(ctx, viewer, listed.slice(start, start + limit)),
    pagination: pagination(limit, offset, hasMore),
    asOf: new Date(Math.min(...pages.map(({ askedAt }) => askedAt.getTime()))).toISOString(),
  }
}

/**
 * Summaries of the listed pull requests, without those that the operator has hidden, which the code host still lists.
 */
export async function toSummaries(ctx: Context, { user }: Viewer, listed: ListedPull[]): Promise<Summary[]> {
  const keys = listed.map(({ repository, item }) => ({ host_repo_id: repository.host_repo_id, number: item.number }))
  const articles = await findArticlesOf(ctx.db, keys, user.language)
  const articlesByPull = new Map(articles.map((row) => [`${row.host_repo_id} ${row.number}`, row]))
  const articleOf = ({ repository, item }: ListedPull) =>
    articlesByPull.get(`${repository.host_repo_id} ${item.number}`)
  return listed.filter((one) => !articleOf(one)?.is_hidden).map((one) => toSummary(one, articleOf(one)))
}

function toSummary(
  { repository: { owner, name }, item }: ListedPull,
  article?: { id: string | null; lead: string | null; language: string | null },
): Summary {
  return {
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
    articleExists: article?.id != null,
    articleId: article?.id ?? null,
    lead: article?.lead ?? null,
    leadLanguage: article?.lead == null ? null : article.language,
  }
}
