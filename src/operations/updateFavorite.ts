import * as favorites from '../favorites/favorites.ts'
import { type Handler, reply } from '../http/handler.ts'

export const updateFavorite: Handler<'updateFavorite'> = async ({ params, body, viewer }, ctx) =>
  reply(200, await favorites.updateFavorite(ctx, viewer, params, body), 'Favorite updated.')
