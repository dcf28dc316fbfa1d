import { toUser } from '../domain/accounts/profile.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const getCurrentUser: Handler<'getCurrentUser'> = async ({ viewer }) =>
  reply(200, toUser(viewer.user), 'The signed-in user.')
