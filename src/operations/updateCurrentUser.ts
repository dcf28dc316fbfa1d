import { updateLanguage } from '../db/accounts/users.ts'
import { userNotFound } from '../domain/accounts/problems.ts'
import { toUser } from '../domain/accounts/profile.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const updateCurrentUser: Handler<'updateCurrentUser'> = async ({ body, viewer }, ctx) => {
  const user = await updateLanguage(ctx.db, viewer.user.id, body.language, ctx.now())
  if (!user) throw userNotFound()
  return reply(200, toUser(user), 'Language changed.')
}
