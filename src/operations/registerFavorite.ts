import { addFavorite } from '../favorites/favorites.ts'
import { type Handler, reply } from '../http/handler.ts'

export const registerFavorite: Handler<'registerFavorite'> = async ({ body, viewer }, ctx) => {
  const { favorite, created } = await addFavorite(ctx, viewer, body)
  return created ? reply(201, favorite, 'Favorite registered.') : reply(200, favorite, 'Already a favorite.')
}
