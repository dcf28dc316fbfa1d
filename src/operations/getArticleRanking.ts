import { readRanking } from '../domain/likes/ranking.ts'
import { offsetOf } from '../lib/cursor.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { articlePages } from '../web/pages/pageUrls.ts'

export const getArticleRanking: Handler<'getArticleRanking'> = async ({ query, credential, origin }, ctx) => {
  const { language = 'all', period, limit } = query
  const ranking = { language, period, limit, offset: offsetOf(query), articlePages: articlePages(origin) }
  const { page, nextCursor } = await readRanking(ctx, credential, ranking)
  return { ...replyText(200, page, 'The ranking.'), nextCursor }
}
