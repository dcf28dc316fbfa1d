import { unauthenticated } from '../accounts/problems.ts'
import { endSession } from '../db/sessions.ts'
import { type Handler, reply } from '../http/handler.ts'

export const logOut: Handler<'logOut'> = async ({ viewer }, ctx) => {
  const revokedAt = await endSession(ctx.db, viewer, viewer.id, ctx.now())
  if (!revokedAt) throw unauthenticated()
  return reply(200, { revokedAt: revokedAt.toISOString() }, 'Logged out.')
}
