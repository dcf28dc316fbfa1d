import * as favorites from '../domain/favorites/favorites.ts'
import { type Handler, reply } from '../web/api/handler.ts'
import { withRepositoryUrl } from '../web/pages/pageUrls.ts'

export const updateFavorite: Handler<'updateFavorite'> = async ({ params, body, viewer, origin }, ctx) =>
  reply(200, withRepositoryUrl(origin, await favorites.updateFavorite(ctx, viewer, params, body)), 'Favorite updated.')
