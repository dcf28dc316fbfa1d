import { listArticleJobs as list } from '../domain/articles/listArticleJobs.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'

export const listArticleJobs: Handler<'listArticleJobs'> = async ({ query, viewer }, ctx) =>
  replyPage(await list(ctx, viewer, query), 'The articles you asked for.')
