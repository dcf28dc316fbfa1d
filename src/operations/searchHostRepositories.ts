import { searchHostRepositories as search } from '../domain/repositories/searchHostRepositories.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const searchHostRepositories: Handler<'searchHostRepositories'> = async ({ query, viewer }, ctx) => {
  const found = await search(ctx, viewer, query)
  return reply(200, found, `${found.data.length} repositor${found.data.length === 1 ? 'y' : 'ies'}.`)
}
