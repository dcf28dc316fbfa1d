import { endSession } from '../db/sessions.ts'
import { Problem } from '../errors.ts'
import { type Handler, noContent } from '../http/handler.ts'

export const revokeSession: Handler<'revokeSession'> = async ({ params, viewer }, ctx) => {
  const ended = await endSession(ctx.db, viewer, params.sessionId, ctx.now())
  if (!ended) throw new Problem('NOT_FOUND', 'This account has no such session.')
  return noContent()
}
