import { articleDocument, readArticle } from '../articles/read.ts'
import { type Handler, replyText } from '../http/handler.ts'
import { languageFilter } from '../http/languageFilter.ts'

export const getArticle: Handler<'getArticle'> = async ({ params, query, viewer }, ctx) => {
  const { number, ...name } = params
  const read = articleDocument({ ...query, language: languageFilter(query) })
  return replyText(200, await readArticle(ctx, viewer, name, number, read), 'The article.')
}
