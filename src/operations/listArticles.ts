import { listArticles as list } from '../domain/lists/listArticles.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const listArticles: Handler<'listArticles'> = async ({ query, viewer }, ctx) => {
  return reply(200, await list(ctx, viewer, query), 'The articles.')
}
