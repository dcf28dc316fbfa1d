import { type Handler, reply } from '../http/handler.ts'
import { listRepositories as list } from '../search/listRepositories.ts'

export const listRepositories: Handler<'listRepositories'> = async ({ query }, ctx) =>
  reply(200, await list(ctx, query), 'The repositories.')
