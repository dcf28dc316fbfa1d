import { unauthenticated, userNotFound } from '../accounts/problems.ts'
import { type Handler, replyText } from '../http/handler.ts'
import { ingest } from '../pulls/ingest.ts'
import { readIngested, readPullRequest } from '../pulls/read.ts'

export const getPullRequest: Handler<'getPullRequest'> = async (input, ctx) => {
  const { params, query, viewer, isIdentified } = input
  const { number, ...name } = params
  if (!query.refresh) return replyText(200, await readPullRequest(ctx, viewer, name, number), 'The pull request.')
  if (!viewer) throw isIdentified ? userNotFound() : unauthenticated('Refreshing requires a bearer token.')
  const hostRepoId = await ingest(ctx, viewer, { name, number, rereadConversation: true })
  return replyText(200, await readIngested(ctx, viewer, hostRepoId, number), 'The refreshed pull request.')
}
