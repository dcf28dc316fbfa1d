import { readArticleById } from '../domain/articles/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { articlePages } from '../web/pages/pageUrls.ts'

export const getArticleById: Handler<'getArticleById'> = async ({ params, query, credential, origin }, ctx) => {
  const article = await readArticleById(ctx, credential, params.articleId, articlePages(origin), query)
  return replyText(200, article, 'The article.')
}
