import { articleDocument, readArticle } from '../domain/articles/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { languageFilter } from '../web/api/languageFilter.ts'

export const getArticle: Handler<'getArticle'> = async ({ params, query, viewer }, ctx) => {
  const { number, ...name } = params
  const read = articleDocument({ ...query, language: languageFilter(query) })
  return replyText(200, await readArticle(ctx, viewer, name, number, read), 'The article.')
}
