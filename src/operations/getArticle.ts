import { articleAddress, articleDocument, readArticle } from '../domain/articles/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { articleText } from '../web/pages/articleText.ts'
import { articlePages } from '../web/pages/pageUrls.ts'

export const getArticle: Handler<'getArticle'> = async (input, ctx) => {
  const { params, query, viewer, origin } = input
  const { number, ...name } = params
  const preferences = input.preferences()
  if (preferences.format !== 'application/json') {
    const { id: articleId } = await readArticle(ctx, viewer, name, number, articleAddress)
    return articleText(ctx, viewer, { articleId, ...preferences, language: query.language, origin })
  }
  const read = articleDocument(articlePages(origin), query)
  return replyText(200, await readArticle(ctx, viewer, name, number, read), 'The article.')
}
