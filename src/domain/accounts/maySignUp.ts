import type { Context } from '../../context.ts'
import { forbidden, Problem } from '../../errors.ts'
import type { HostUser } from '../../host/codeHost.ts'
import type { Secret } from '../../lib/secret.ts'
import { isListed, whoMaySignUp } from '../../runtime/config/signUp.ts'
import { HOST_ISSUER } from './bearer.ts'
import { membershipOf } from './memberships.ts'
import { userNotFound } from './problems.ts'
import { profileFor } from './profileFor.ts'
import type { Session } from './session.ts'

/**
 * Throws unless the operator lets this user create an account. `hostToken` is the user's own token of the code host.
 * Returns whether the account depends on the user's membership of an organization.
 */
export async function requireMaySignUp(
  ctx: Context,
  { login }: Pick<HostUser, 'login'>,
  hostToken: Secret | null,
): Promise<boolean> {
  const { signUp } = ctx.config
  if (signUp.isOpen || isListed(signUp, login)) return false
  if ((await membershipOf(ctx, login, hostToken)) !== 'member')
    throw forbidden('sign_up_not_allowed', whoMaySignUp(signUp))
  return true
}

/** The error for a verified caller without an account: to sign up, or that this is not allowed. */
export async function noAccountProblem(ctx: Context, session: Session): Promise<Problem> {
  if (ctx.config.signUp.isOpen) return userNotFound()
  try {
    const identity = session.identity ?? (session.bearer && (await ctx.bearer.verify(session.bearer)))
    const hostToken = session.issuer === HOST_ISSUER ? session.bearer : null
    if (identity) await requireMaySignUp(ctx, await profileFor(ctx, identity, undefined), hostToken)
    return userNotFound()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.code === 'HOST_TOKEN_REQUIRED' ? userNotFound() : error
  }
}
