import { type Handler, reply } from '../http/handler.ts'
import { languageFilter } from '../http/languageFilter.ts'
import { listArticles as list } from '../search/listArticles.ts'

export const listArticles: Handler<'listArticles'> = async ({ query, viewer }, ctx) => {
  const page = await list(ctx, viewer, { ...query, language: languageFilter(query) })
  return reply(200, page, 'The articles.')
}
