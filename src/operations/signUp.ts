import { signUpWith } from '../domain/accounts/createAccount.ts'
import { toUser } from '../domain/accounts/profile.ts'
import type { Handler } from '../web/api/handler.ts'

export const signUp: Handler<'signUp'> = async ({ body, viewer }, ctx) => {
  const user = await signUpWith(ctx, viewer, body)
  return { status: 201, body: toUser(user) }
}
