import { type Handler, replyText } from '../http/handler.ts'
import { ingest } from '../pulls/ingest.ts'
import { readIngested } from '../pulls/read.ts'

export const ingestPullRequest: Handler<'ingestPullRequest'> = async ({ params, viewer }, ctx) => {
  const { number, ...name } = params
  const hostRepoId = await ingest(ctx, viewer, { name, number, rereadConversation: false })
  return replyText(200, await readIngested(ctx, viewer, hostRepoId, number), 'The pull request was fetched and stored.')
}
