import { deleteUser } from '../db/accounts/users.ts'
import { type Handler, noContent } from '../web/api/handler.ts'

export const deleteCurrentUser: Handler<'deleteCurrentUser'> = async ({ viewer }, ctx) => {
  await deleteUser(ctx.db, viewer.user)
  ctx.counting.soon()
  return noContent()
}
