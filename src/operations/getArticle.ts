import { articleDocument, readArticle } from '../articles/read.ts'
import { type Handler, replyText } from '../http/handler.ts'

export const getArticle: Handler<'getArticle'> = async ({ params, query, viewer }, ctx) => {
  const { number, ...name } = params
  return replyText(200, await readArticle(ctx, viewer, name, number, articleDocument(query)), 'The article.')
}
