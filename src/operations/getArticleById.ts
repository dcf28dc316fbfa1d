import { readArticleById } from '../domain/articles/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { languageFilter } from '../web/api/languageFilter.ts'

export const getArticleById: Handler<'getArticleById'> = async ({ params, query, credential }, ctx) => {
  const selection = { ...query, language: languageFilter(query) }
  return replyText(200, await readArticleById(ctx, credential, params.articleId, selection), 'The article.')
}
