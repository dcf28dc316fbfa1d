import { listPullRequests as list, requireReach } from '../domain/pulls/lists.ts'
import { offsetOf } from '../lib/cursor.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'
import { withPullRequestUrl, withUrls } from '../web/pages/pageUrls.ts'

export const listPullRequests: Handler<'listPullRequests'> = async ({ params, query, viewer, origin }, ctx) => {
  const offset = offsetOf(query)
  requireReach(query.limit, offset)
  const page = await list(ctx, viewer, params, { ...query, offset })
  return replyPage(
    withUrls(origin, page, withPullRequestUrl),
    `${page.data.length} pull request${page.data.length === 1 ? '' : 's'}.`,
  )
}
