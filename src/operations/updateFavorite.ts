import * as favorites from '../domain/favorites/favorites.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const updateFavorite: Handler<'updateFavorite'> = async ({ params, body, viewer }, ctx) =>
  reply(200, await favorites.updateFavorite(ctx, viewer, params, body), 'Favorite updated.')
