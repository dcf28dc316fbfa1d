import { newArticles } from '../domain/lists/favoriteArticles.ts'
import { requireReach } from '../domain/pulls/lists.ts'
import { readFeed } from '../domain/pulls/pullRequestFeed.ts'
import { offsetOf } from '../lib/cursor.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'
import { withArticleUrl, withPullRequestUrl, withUrls } from '../web/pages/pageUrls.ts'

export const getFeed: Handler<'getFeed'> = async ({ query, viewer, origin }, ctx) => {
  const { limit } = query
  const offset = offsetOf(query)
  requireReach(limit, offset)
  await ctx.indexing.catchUp()
  const page = await readFeed(ctx, viewer, limit, offset)
  const articles = offset === 0 ? await newArticles(ctx, viewer) : []
  const missing = page.unavailable.length
  const suffix = missing > 0 ? `; ${missing} favorite${missing === 1 ? '' : 's'} could not be read` : ''
  return replyPage(
    { ...withUrls(origin, page, withPullRequestUrl), newArticles: articles.map((one) => withArticleUrl(origin, one)) },
    `${page.data.length} pull request${page.data.length === 1 ? '' : 's'}${suffix}.`,
  )
}
