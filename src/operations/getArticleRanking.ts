import { readRanking } from '../domain/likes/ranking.ts'
import { type Handler, replyText } from '../web/api/handler.ts'

const SHARED_SECONDS = 10

export const getArticleRanking: Handler<'getArticleRanking'> = async ({ query, credential }, ctx) => {
  const language = query.language ?? 'all'
  const { page, isForAll } = await readRanking(ctx, credential, { ...query, language })
  const response = replyText(200, page, 'The ranking.')
  return isForAll ? { ...response, sharedFor: SHARED_SECONDS } : response
}
