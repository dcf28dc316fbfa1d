import { listTokens as list } from '../domain/accounts/apiTokens.ts'
import { type Handler, replyPage } from '../web/api/handler.ts'

export const listTokens: Handler<'listTokens'> = async ({ query, viewer }, ctx) =>
  replyPage(await list(ctx, viewer, query), 'The API tokens of the account.')
