import { readArticleById } from '../domain/articles/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'

export const getArticleById: Handler<'getArticleById'> = async ({ params, query, credential }, ctx) => {
  return replyText(200, await readArticleById(ctx, credential, params.articleId, query), 'The article.')
}
