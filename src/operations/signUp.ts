import { signUpWith } from '../accounts/createAccount.ts'
import { toUser } from '../accounts/profile.ts'
import type { Handler } from '../http/handler.ts'

export const signUp: Handler<'signUp'> = async ({ body, viewer }, ctx) => {
  const user = await signUpWith(ctx, viewer, body)
  return { status: 201, body: toUser(user) }
}
