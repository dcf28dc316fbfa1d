import * as favorites from '../domain/favorites/favorites.ts'
import { type Handler, reply } from '../web/api/handler.ts'
import { withRepositoryUrl } from '../web/pages/pageUrls.ts'

export const markFavoriteSeen: Handler<'markFavoriteSeen'> = async ({ params, viewer, origin }, ctx) =>
  reply(
    200,
    withRepositoryUrl(origin, await favorites.markFavoriteSeen(ctx, viewer, params)),
    'Favorite marked as seen.',
  )
