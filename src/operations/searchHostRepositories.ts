import { searchHostRepositories as search } from '../domain/repositories/searchHostRepositories.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'
import { withRepositoryUrl, withUrls } from '../web/pages/pageUrls.ts'

export const searchHostRepositories: Handler<'searchHostRepositories'> = async ({ query, viewer, origin }, ctx) => {
  const result = await search(ctx, viewer, query)
  return replyPage(
    withUrls(origin, result, withRepositoryUrl),
    `${result.data.length} repositor${result.data.length === 1 ? 'y' : 'ies'}.`,
  )
}
