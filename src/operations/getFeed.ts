import { newArticles } from '../domain/lists/favoriteArticles.ts'
import { requireReach } from '../domain/pulls/lists.ts'
import { readFeed } from '../domain/pulls/pullRequestFeed.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const getFeed: Handler<'getFeed'> = async ({ query: { limit, offset }, viewer }, ctx) => {
  requireReach(limit, offset)
  await ctx.indexing.catchUp()
  const page = await readFeed(ctx, viewer, limit, offset)
  const articles = offset === 0 ? await newArticles(ctx, viewer) : []
  const missing = page.unavailable.length
  const suffix = missing > 0 ? `; ${missing} favorite${missing === 1 ? '' : 's'} could not be read` : ''
  return reply(
    200,
    { newArticles: articles, ...page },
    `${page.data.length} pull request${page.data.length === 1 ? '' : 's'}${suffix}.`,
  )
}
