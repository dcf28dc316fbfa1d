import { articleDocument, readArticle } from '../domain/articles/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { articlePages } from '../web/pages/pageUrls.ts'

export const getArticle: Handler<'getArticle'> = async ({ params, query, viewer, origin }, ctx) => {
  const { number, ...name } = params
  const read = articleDocument(articlePages(origin), query)
  return replyText(200, await readArticle(ctx, viewer, name, number, read), 'The article.')
}
