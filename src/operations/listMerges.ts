import { listMerges as list } from '../domain/merges/listMerges.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const listMerges: Handler<'listMerges'> = async ({ params, query, viewer }, ctx) =>
  reply(200, await list(ctx, viewer, params, query), 'The merged pull requests.')
