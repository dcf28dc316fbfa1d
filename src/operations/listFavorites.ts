import { listFavorites as list } from '../domain/favorites/listFavorites.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'
import { withRepositoryUrl, withUrls } from '../web/pages/pageUrls.ts'

export const listFavorites: Handler<'listFavorites'> = async ({ query, viewer, origin }, ctx) => {
  await ctx.indexing.catchUp()
  const page = await list(ctx, viewer, query)
  const { totalItems } = page.pagination
  return replyPage(withUrls(origin, page, withRepositoryUrl), `${totalItems} favorite${totalItems === 1 ? '' : 's'}.`)
}
