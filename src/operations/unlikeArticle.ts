import { reply, type SwiftHandler } from '../http/handler.ts'
import { unlike } from '../likes/like.ts'

export const unlikeArticle: SwiftHandler<'unlikeArticle'> = {
  async swift({ params: { articleId, langCode: language }, asker }, ctx) {
    return reply(200, { likeCount: await unlike(ctx, asker, { articleId, language }) }, 'Not liked.')
  },
}
