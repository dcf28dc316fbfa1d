import { unauthenticated, userNotFound } from '../domain/accounts/problems.ts'
import { ingest } from '../domain/pulls/ingest.ts'
import { readIngested, readPullRequest } from '../domain/pulls/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'

export const getPullRequest: Handler<'getPullRequest'> = async (input, ctx) => {
  const { params, query, viewer, isIdentified } = input
  const { number, ...name } = params
  if (!query.refresh) return replyText(200, await readPullRequest(ctx, viewer, name, number), 'The pull request.')
  if (!viewer) throw isIdentified ? userNotFound() : unauthenticated('Refreshing requires a bearer token.')
  const hostRepoId = await ingest(ctx, viewer, { name, number, rereadConversation: true })
  return replyText(200, await readIngested(ctx, viewer, hostRepoId, number), 'The refreshed pull request.')
}
