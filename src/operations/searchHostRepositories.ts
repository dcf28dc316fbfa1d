import { searchHostRepositories as search } from '../domain/repositories/searchHostRepositories.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const searchHostRepositories: Handler<'searchHostRepositories'> = async ({ query, viewer }, ctx) => {
  const result = await search(ctx, viewer, query)
  return reply(200, result, `${result.data.length} repositor${result.data.length === 1 ? 'y' : 'ies'}.`)
}
