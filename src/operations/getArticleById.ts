import { readArticleById } from '../articles/read.ts'
import { type Handler, replyText } from '../http/handler.ts'
import { languageFilter } from '../http/languageFilter.ts'

export const getArticleById: Handler<'getArticleById'> = async ({ params, query, credential }, ctx) => {
  const selection = { ...query, language: languageFilter(query) }
  return replyText(200, await readArticleById(ctx, credential, params.articleId, selection), 'The article.')
}
