import { createToken as create } from '../domain/accounts/apiTokens.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const createToken: Handler<'createToken'> = async ({ body, viewer }, ctx) =>
  reply(201, await create(ctx, viewer, body), 'Token created. It is not shown again.')
