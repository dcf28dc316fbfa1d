import { readArticleById } from '../articles/read.ts'
import { type Handler, replyText } from '../http/handler.ts'

export const getArticleById: Handler<'getArticleById'> = async ({ params, viewer }, ctx) =>
  replyText(200, await readArticleById(ctx, viewer, params.articleId), 'The article.')
