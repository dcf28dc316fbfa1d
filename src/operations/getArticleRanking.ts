import { replyText, type SwiftHandler } from '../http/handler.ts'
import { readRanking } from '../likes/ranking.ts'

const SHARED_SECONDS = 10

export const getArticleRanking: SwiftHandler<'getArticleRanking'> = {
  async swift({ query, asker }, ctx) {
    const { page, isForAll } = await readRanking(ctx, asker, query)
    return { ...replyText(200, page, 'The ranking.'), ...(isForAll && { sharedFor: SHARED_SECONDS }) }
  },
}
