import { reply, type SwiftHandler } from '../http/handler.ts'
import { unlike } from '../likes/like.ts'

export const unlikeArticle: SwiftHandler<'unlikeArticle'> = {
  async swift({ params: { articleId, langCode: language }, credential }, ctx) {
    return reply(200, { likeCount: await unlike(ctx, credential, { articleId, language }) }, 'Like removed.')
  },
}
