import { readRanking } from '../domain/likes/ranking.ts'
import { type Handler, reply } from '../web/api/handler.ts'
import { languageFilter } from '../web/api/languageFilter.ts'

const SHARED_SECONDS = 10

export const getArticleRanking: Handler<'getArticleRanking'> = async ({ query, credential }, ctx) => {
  const language = languageFilter(query) ?? 'all'
  const response = reply(200, await readRanking(ctx, credential, { ...query, language }), 'The ranking.')
  return credential.token ? response : { ...response, sharedFor: SHARED_SECONDS }
}
