import { shownFavorites, toFavorite } from '../domain/favorites/favorites.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const listFavorites: Handler<'listFavorites'> = async ({ query: { limit, offset }, viewer }, ctx) => {
  await ctx.indexing.catchUp()
  const favorites = await shownFavorites(ctx, viewer)
  const page = {
    data: favorites.slice(offset, offset + limit).map((row) => toFavorite(ctx, row)),
    pagination: { totalItems: favorites.length, limit, offset },
  }
  return reply(200, page, `${favorites.length} favorite${favorites.length === 1 ? '' : 's'}.`)
}
