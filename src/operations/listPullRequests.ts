import { withLeads } from '../articles/leads.ts'
import { type Handler, reply } from '../http/handler.ts'
import { listPullRequests as list, requireReach } from '../pulls/lists.ts'

export const listPullRequests: Handler<'listPullRequests'> = async ({ params, query, viewer }, ctx) => {
  requireReach(query.limit, query.offset)
  const page = await list(ctx, viewer, params, query)
  const data = await withLeads(ctx, viewer, page.data)
  return reply(200, { ...page, data }, `${data.length} pull request${data.length === 1 ? '' : 's'}.`)
}
