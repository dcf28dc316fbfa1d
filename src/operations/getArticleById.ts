import { readArticleById } from '../articles/read.ts'
import { type Handler, replyText } from '../http/handler.ts'

export const getArticleById: Handler<'getArticleById'> = async ({ params, query, credential }, ctx) =>
  replyText(200, await readArticleById(ctx, credential, params.articleId, query), 'The article.')
