import { endToken } from '../db/accounts/endedSessions.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const logOut: Handler<'logOut'> = async ({ viewer }, ctx) => {
  const revokedAt = ctx.now()
  await endToken(ctx.db, viewer.revocation_hash, revokedAt)
  return { ...reply(200, { revokedAt: revokedAt.toISOString() }, 'Logged out.'), endsSession: true }
}
