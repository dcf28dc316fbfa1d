import { type Handler, replyText } from '../http/handler.ts'
import { languageFilter } from '../http/languageFilter.ts'
import { listLiked } from '../likes/liked.ts'

export const listLikedArticles: Handler<'listLikedArticles'> = async ({ query, credential }, ctx) => {
  const page = await listLiked(ctx, credential, { ...query, language: languageFilter(query) })
  return replyText(200, page, 'The articles you liked.')
}
