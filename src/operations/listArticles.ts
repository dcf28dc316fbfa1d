import { listArticles as list } from '../domain/lists/listArticles.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'
import { withArticleUrl, withUrls } from '../web/pages/pageUrls.ts'

export const listArticles: Handler<'listArticles'> = async ({ query, viewer, origin }, ctx) => {
  return replyPage(withUrls(origin, await list(ctx, viewer, query), withArticleUrl), 'The articles.')
}
