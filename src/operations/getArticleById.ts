import { readArticleById } from '../articles/read.ts'
import { replyText, type SwiftHandler } from '../http/handler.ts'

export const getArticleById: SwiftHandler<'getArticleById'> = {
  swift: async ({ params, credential }, ctx) =>
    replyText(200, await readArticleById(ctx, credential, params.articleId), 'The article.'),
}
