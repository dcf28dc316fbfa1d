import { ingest } from '../domain/pulls/ingest.ts'
import { readIngested } from '../domain/pulls/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'

export const ingestPullRequest: Handler<'ingestPullRequest'> = async ({ params, viewer }, ctx) => {
  const { number, ...name } = params
  const hostRepoId = await ingest(ctx, viewer, { name, number, rereadConversation: false })
  return replyText(200, await readIngested(ctx, viewer, hostRepoId, number), 'The pull request was fetched and stored.')
}
