import * as favorites from '../domain/favorites/favorites.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const markFavoriteSeen: Handler<'markFavoriteSeen'> = async ({ params, viewer }, ctx) =>
  reply(200, await favorites.markFavoriteSeen(ctx, viewer, params), 'Favorite marked as seen.')
