import * as favorites from '../favorites/favorites.ts'
import { type Handler, reply } from '../http/handler.ts'

export const markFavoriteSeen: Handler<'markFavoriteSeen'> = async ({ params, viewer }, ctx) =>
  reply(200, await favorites.markFavoriteSeen(ctx, viewer, params), 'Favorite marked as seen.')
