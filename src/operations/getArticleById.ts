import { readArticleById } from '../domain/articles/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { articleText } from '../web/pages/articleText.ts'
import { articlePages } from '../web/pages/pageUrls.ts'

export const getArticleById: Handler<'getArticleById'> = async (input, ctx) => {
  const { params, query, credential, origin } = input
  const preferences = input.preferences()
  if (preferences.format !== 'application/json')
    return articleText(ctx, await credential.identify(), {
      ...params,
      ...preferences,
      language: query.language,
      origin,
    })
  const article = await readArticleById(ctx, credential, params.articleId, articlePages(origin), query)
  return replyText(200, article, 'The article.')
}
