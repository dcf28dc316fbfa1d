import { like } from '../domain/likes/like.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const likeArticle: Handler<'likeArticle'> = async ({ params, credential }, ctx) => {
  const liked = await like(ctx, credential, { articleId: params.articleId, language: params.langCode })
  return liked.alreadyLiked ? reply(200, liked, 'Already liked.') : reply(201, liked, 'Liked.')
}
