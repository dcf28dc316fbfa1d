import { revokeToken as revoke } from '../domain/accounts/apiTokens.ts'
import { type Handler, noContent } from '../web/api/handler.ts'

export const revokeToken: Handler<'revokeToken'> = async ({ params, viewer }, ctx) => {
  await revoke(ctx, viewer, params.tokenId)
  return noContent()
}
