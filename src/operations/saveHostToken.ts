import { saveToken } from '../domain/accounts/hostTokens.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const saveHostToken: Handler<'saveHostToken'> = async ({ body, viewer }, ctx) => {
  const saved = await saveToken(ctx, viewer, body.hostAccessToken)
  return reply(200, { ...saved, savedAt: saved.savedAt.toISOString() }, 'Host token saved.')
}
