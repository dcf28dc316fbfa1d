import { replyText, type SwiftHandler } from '../http/handler.ts'
import { listLiked } from '../likes/liked.ts'

export const listLikedArticles: SwiftHandler<'listLikedArticles'> = {
  swift: async ({ query, credential }, ctx) =>
    replyText(200, await listLiked(ctx, credential, query), 'The articles you liked.'),
}
