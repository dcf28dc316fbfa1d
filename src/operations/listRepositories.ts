import { listRepositories as list } from '../domain/lists/listRepositories.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'
import { withRepositoryUrl, withUrls } from '../web/pages/pageUrls.ts'

export const listRepositories: Handler<'listRepositories'> = async ({ query, origin }, ctx) =>
  replyPage(withUrls(origin, await list(ctx, query), withRepositoryUrl), 'The repositories.')
