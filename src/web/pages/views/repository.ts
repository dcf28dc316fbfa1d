import { html } from '@remix-run/html-template'
import { markRepositorySeen } from '../../../domain/favorites/favorites.ts'
import { listArticles } from '../../../domain/lists/listArticles.ts'
import { readRepository } from '../../../domain/lists/readRepository.ts'
import { NAME } from '../../../domain/repositories/parseAddress.ts'
import { repositoryNotFound } from '../../../domain/repositories/problems.ts'
import { withoutInvisible } from '../../../writer/reading/visible.ts'
import { mergesAddress, repositoryAddress } from '../addresses.ts'
import { repositoryFeedPath } from '../feedPaths.ts'
import { hostAddress } from '../hostAddress.ts'
import { texts } from '../locale.ts'
import { type PageHandler, readerLanguage } from '../page.ts'
import { pathWith } from '../pathWith.ts'
import { articleList } from './articleList.ts'
import { followButton } from './followButton.ts'
import { nextLink, tabs } from './tabs.ts'

const LIMIT = 20
const SORTS = ['newest', 'likes'] as const

/** The articles about a repository. */
export const repository: PageHandler = async (visit, ctx) => {
  const t = texts[visit.locale]
  const { owner = '', name: repo = '' } = visit.params
  if (!NAME.test(owner) || !NAME.test(repo)) throw repositoryNotFound()
  const row = await readRepository(ctx, visit.viewer, { owner, repo })
  const fullName = `${row.owner}/${row.name}`
  const path = repositoryAddress(row.owner, row.name)
  const sort = SORTS.find((name) => name === visit.query['sort']) ?? 'newest'
  const pathIn = (order: string, cursor?: string) =>
    pathWith(path, { sort: order === 'newest' ? undefined : order, cursor })
  const { cursor } = visit.query
  const query = { repository: fullName, sort, limit: LIMIT, ...(cursor && { cursor }) }
  const { data, pagination } = await listArticles(ctx, visit.viewer, query, readerLanguage(visit))
  // Even without articles, the reader's favorites and the list of merged pull requests link to this page.
  if (data.length === 0 && !cursor && !row.is_followed && !row.has_merge_list) throw repositoryNotFound()
  if (visit.viewer) await markRepositorySeen(ctx, visit.viewer, row.host_repo_id)
  const feed = row.private ? undefined : { title: fullName, path: repositoryFeedPath(row.owner, row.name) }
  const description = withoutInvisible(row.description ?? '')
  return {
    title: fullName,
    description,
    canonical: path,
    isPrivate: row.private,
    feed,
    body: html`<h1>${fullName}</h1>
${description ? html`<p class="original" lang="und" dir="auto">${description}</p>` : ''}
<div class="acts">${followButton(visit, fullName, row.is_followed)}<p class="meta"><a href="${hostAddress(ctx, fullName)}" rel="external">${t.viewOnHost(ctx.config.codeHost.webUrl.host)}</a> <a href="${mergesAddress(row.owner, row.name)}">${t.merges.link}</a>${feed ? html` <a href="${feed.path}">${t.atomFeed}</a>` : ''}</p></div>
<h2>${t.articles}</h2>
${tabs(
  t.sortBy,
  SORTS.map((order) => ({ text: t.sorts[order], to: pathIn(order), isCurrent: order === sort })),
)}
${data.length > 0 ? articleList(visit, data) : html`<p class="empty">${cursor ? t.noMoreArticles : t.noArticles}</p>`}
${nextLink(visit, t.moreArticles, pagination.nextCursor && pathIn(sort, pagination.nextCursor))}`,
  }
}
