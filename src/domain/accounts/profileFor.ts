import type { Context } from '../../context.ts'
import type { HostUser } from '../../host/codeHost.ts'
import type { Identity } from './bearer.ts'
import { hostTokenRequired, requireSameHostUser } from './hostTokens.ts'

/**
 * The user's profile on the code host. The user is the owner of the bearer token, the owner of `hostAccessToken`, or
 * the user whose id the issuer asserts.
 */
export async function profileFor(ctx: Context, identity: Identity, owner: HostUser | undefined): Promise<HostUser> {
  if (owner && identity.hostUserId !== null) requireSameHostUser(owner, identity.hostUserId)
  const profile = identity.profile ?? owner
  if (profile) return profile
  if (identity.hostUserId === null) throw hostTokenRequired()
  const user = await ctx.host.userById({ token: ctx.config.codeHost.token?.reveal() }, identity.hostUserId)
  if (!user) throw hostTokenRequired()
  return user
}
