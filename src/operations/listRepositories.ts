import { listRepositories as list } from '../domain/lists/listRepositories.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const listRepositories: Handler<'listRepositories'> = async ({ query }, ctx) =>
  reply(200, await list(ctx, query), 'The repositories.')
