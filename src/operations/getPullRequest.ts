import { unauthenticated } from '../accounts/problems.ts'
import { type Handler, replyText } from '../http/handler.ts'
import { ingest } from '../pulls/ingest.ts'
import { readIngested, readPullRequest } from '../pulls/read.ts'

export const getPullRequest: Handler<'getPullRequest'> = async ({ params, query: { refresh }, viewer }, ctx) => {
  const { number, ...name } = params
  if (!refresh) return replyText(200, await readPullRequest(ctx, viewer, name, number), 'The pull request.')
  if (!viewer) throw unauthenticated('To refresh needs the bearer token of an account.')
  const hostRepoId = await ingest(ctx, viewer, { name, number, rereadConversation: true })
  return replyText(200, await readIngested(ctx, viewer, hostRepoId, number), 'The pull request, as it is now.')
}
