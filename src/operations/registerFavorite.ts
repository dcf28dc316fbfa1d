import * as favorites from '../domain/favorites/favorites.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const registerFavorite: Handler<'registerFavorite'> = async ({ body, viewer }, ctx) => {
  const { favorite, created } = await favorites.registerFavorite(ctx, viewer, body)
  return created ? reply(201, favorite, 'Favorite registered.') : reply(200, favorite, 'Already a favorite.')
}
