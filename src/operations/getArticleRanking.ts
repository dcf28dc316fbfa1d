import { type Handler, replyText } from '../http/handler.ts'
import { languageFilter } from '../http/languageFilter.ts'
import { readRanking } from '../likes/ranking.ts'

const SHARED_SECONDS = 10

export const getArticleRanking: Handler<'getArticleRanking'> = async ({ query, credential }, ctx) => {
  const language = languageFilter(query) ?? 'all'
  const { page, isForAll } = await readRanking(ctx, credential, { ...query, language })
  const response = replyText(200, page, 'The ranking.')
  return isForAll ? { ...response, sharedFor: SHARED_SECONDS } : response
}
