import * as favorites from '../domain/favorites/favorites.ts'
import { type Handler, reply } from '../web/api/handler.ts'
import { withRepositoryUrl } from '../web/pages/pageUrls.ts'

export const registerFavorite: Handler<'registerFavorite'> = async ({ body, viewer, origin }, ctx) => {
  const { favorite, created } = await favorites.registerFavorite(ctx, viewer, body)
  const data = withRepositoryUrl(origin, favorite)
  return created ? reply(201, data, 'Favorite registered.') : reply(200, data, 'Already a favorite.')
}
