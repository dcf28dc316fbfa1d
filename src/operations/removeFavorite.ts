import * as favorites from '../favorites/favorites.ts'
import { type Handler, reply } from '../http/handler.ts'

export const removeFavorite: Handler<'removeFavorite'> = async ({ params, viewer }, ctx) =>
  reply(200, await favorites.removeFavorite(ctx, viewer, params), 'Favorite removed.')
