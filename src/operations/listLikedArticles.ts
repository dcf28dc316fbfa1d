import { replyText, type SwiftHandler } from '../http/handler.ts'
import { listLiked } from '../likes/liked.ts'

export const listLikedArticles: SwiftHandler<'listLikedArticles'> = {
  swift: async ({ query, asker }, ctx) => replyText(200, await listLiked(ctx, asker, query), 'The articles you liked.'),
}
