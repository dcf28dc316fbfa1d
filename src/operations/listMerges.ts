import { listMerges as list } from '../domain/merges/listMerges.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'
import { withPullRequestUrl, withUrls } from '../web/pages/pageUrls.ts'

export const listMerges: Handler<'listMerges'> = async ({ params, query, viewer, origin }, ctx) =>
  replyPage(withUrls(origin, await list(ctx, viewer, params, query), withPullRequestUrl), 'The merged pull requests.')
