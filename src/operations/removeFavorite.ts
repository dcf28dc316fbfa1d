import * as favorites from '../domain/favorites/favorites.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const removeFavorite: Handler<'removeFavorite'> = async ({ params, viewer }, ctx) =>
  reply(200, await favorites.removeFavorite(ctx, viewer, params), 'Favorite removed.')
