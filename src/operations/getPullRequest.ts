import { unauthenticated, userNotFound } from '../domain/accounts/problems.ts'
import { ingest } from '../domain/pulls/ingest.ts'
import { readIngested, readPullRequest } from '../domain/pulls/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { pullRequestPages } from '../web/pages/pageUrls.ts'

export const getPullRequest: Handler<'getPullRequest'> = async (input, ctx) => {
  const { params, query, viewer, isIdentified, origin } = input
  const { number, ...name } = params
  const pageOf = pullRequestPages(origin)
  if (!query.refresh)
    return replyText(200, await readPullRequest(ctx, viewer, name, number, pageOf), 'The pull request.')
  if (!viewer) throw isIdentified ? userNotFound() : unauthenticated('Refreshing requires a bearer token.')
  const hostRepoId = await ingest(ctx, viewer, { name, number, rereadConversation: true })
  return replyText(200, await readIngested(ctx, viewer, hostRepoId, number, pageOf), 'The refreshed pull request.')
}
