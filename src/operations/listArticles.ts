import { listArticles as list } from '../domain/lists/listArticles.ts'
import { type Handler, reply } from '../web/api/handler.ts'
import { languageFilter } from '../web/api/languageFilter.ts'

export const listArticles: Handler<'listArticles'> = async ({ query, viewer }, ctx) => {
  const page = await list(ctx, viewer, { ...query, language: languageFilter(query) })
  return reply(200, page, 'The articles.')
}
