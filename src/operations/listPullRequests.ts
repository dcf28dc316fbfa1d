import { listPullRequests as list, requireReach } from '../domain/pulls/lists.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const listPullRequests: Handler<'listPullRequests'> = async ({ params, query, viewer }, ctx) => {
  requireReach(query.limit, query.offset)
  const page = await list(ctx, viewer, params, query)
  return reply(200, page, `${page.data.length} pull request${page.data.length === 1 ? '' : 's'}.`)
}
