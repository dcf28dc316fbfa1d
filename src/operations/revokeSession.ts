import { endToken, findRevocationHash } from '../db/accounts/endedSessions.ts'
import { Problem } from '../errors.ts'
import { type Handler, noContent } from '../web/api/handler.ts'

export const revokeSession: Handler<'revokeSession'> = async ({ params, viewer }, ctx) => {
  const revocationHash = await findRevocationHash(ctx.db, viewer, params.sessionId, 'session')
  if (!revocationHash) throw new Problem('NOT_FOUND', 'This account has no such session.')
  await endToken(ctx.db, revocationHash, ctx.now())
  return noContent()
}
