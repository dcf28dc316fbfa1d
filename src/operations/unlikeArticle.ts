import { unlike } from '../domain/likes/like.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const unlikeArticle: Handler<'unlikeArticle'> = async ({ params, credential }, ctx) => {
  const likeCount = await unlike(ctx, credential, { articleId: params.articleId, language: params.langCode })
  return reply(200, { likeCount }, 'Like removed.')
}
