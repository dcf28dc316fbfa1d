import { ingest } from '../domain/pulls/ingest.ts'
import { readIngested } from '../domain/pulls/read.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { pullRequestPages } from '../web/pages/pageUrls.ts'

export const ingestPullRequest: Handler<'ingestPullRequest'> = async ({ params, viewer, origin }, ctx) => {
  const { number, ...name } = params
  const hostRepoId = await ingest(ctx, viewer, { name, number, rereadConversation: false })
  const pull = await readIngested(ctx, viewer, hostRepoId, number, pullRequestPages(origin))
  return replyText(200, pull, 'The pull request was fetched and stored.')
}
