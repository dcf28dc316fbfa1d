import { reply, type SwiftHandler } from '../http/handler.ts'
import { like } from '../likes/like.ts'

export const likeArticle: SwiftHandler<'likeArticle'> = {
  async swift({ params: { articleId, langCode: language }, credential }, ctx) {
    const liked = await like(ctx, credential, { articleId, language })
    return liked.alreadyLiked ? reply(200, liked, 'Already liked.') : reply(201, liked, 'Liked.')
  },
}
