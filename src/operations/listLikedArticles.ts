import { listLiked } from '../domain/likes/liked.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { languageFilter } from '../web/api/languageFilter.ts'

export const listLikedArticles: Handler<'listLikedArticles'> = async ({ query, credential }, ctx) => {
  const page = await listLiked(ctx, credential, { ...query, language: languageFilter(query) })
  return replyText(200, page, 'The articles you liked.')
}
