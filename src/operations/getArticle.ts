import { articleDocument, readArticle } from '../domain/articles/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'

export const getArticle: Handler<'getArticle'> = async ({ params, query, viewer }, ctx) => {
  const { number, ...name } = params
  return replyText(200, await readArticle(ctx, viewer, name, number, articleDocument(query)), 'The article.')
}
