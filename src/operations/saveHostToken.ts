import { saveToken } from '../accounts/hostTokens.ts'
import { type Handler, reply } from '../http/handler.ts'

export const saveHostToken: Handler<'saveHostToken'> = async ({ body, viewer }, ctx) => {
  const saved = await saveToken(ctx, viewer, body.hostAccessToken)
  return reply(200, { ...saved, savedAt: saved.savedAt.toISOString() }, 'Host token saved.')
}
