import { type Handler, replyText } from '../http/handler.ts'
import { listLiked } from '../likes/liked.ts'

export const listLikedArticles: Handler<'listLikedArticles'> = async ({ query, credential }, ctx) =>
  replyText(200, await listLiked(ctx, credential, query), 'The articles you liked.')
