import { readArticleById } from '../articles/read.ts'
import { replyText, type SwiftHandler } from '../http/handler.ts'

export const getArticleById: SwiftHandler<'getArticleById'> = {
  swift: async ({ params, asker }, ctx) =>
    replyText(200, await readArticleById(ctx, asker, params.articleId), 'The article.'),
}
