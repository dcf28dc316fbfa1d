import { type Handler, reply } from '../http/handler.ts'
import { listMerges as list } from '../merges/listMerges.ts'

export const listMerges: Handler<'listMerges'> = async ({ params, query, viewer }, ctx) =>
  reply(200, await list(ctx, viewer, params, query), 'The merged pull requests.')
