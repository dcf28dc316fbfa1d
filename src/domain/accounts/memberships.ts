import type { Context } from '../../context.ts'
import { isMembershipLost, MEMBERSHIP_MINUTES, updateMembership } from '../../db/accounts/accountState.ts'
import type { UserRow } from '../../db/schema/schema.ts'
import type { HostCredential } from '../../host/credential.ts'
import { HostRateLimited, HostTokenRefused, HostUnavailable } from '../../host/errors.ts'
import type { Membership } from '../../host/organizations.ts'
import { perContext } from '../../lib/perContext.ts'
import type { Secret } from '../../lib/secret.ts'
import { MINUTE_MS } from '../../lib/times.ts'
import { isListed, whoMaySignUp } from '../../runtime/config/signUp.ts'
import { HOST_ISSUER } from './bearer.ts'
import { boundedChecks } from './boundedChecks.ts'
import { membershipRequired } from './problems.ts'
import { findSavedToken } from './savedToken.ts'
import type { Session } from './session.ts'

const TIMEOUT_MS = 15_000
/** While the code host is unavailable, the last answer stays valid, and it is asked again after this time. */
const RETRY_MS = 5 * MINUTE_MS

/**
 * Whether a user is a member of one of the organizations whose members may sign up: publicly, or privately as far as the
 * user's own token may see that.
 */
export async function membershipOf(
  { config, host }: Pick<Context, 'config' | 'host'>,
  login: string,
  hostToken: Secret | null,
): Promise<Membership> {
  const until = performance.now() + TIMEOUT_MS
  const own: HostCredential | null = hostToken && { token: hostToken.reveal(), until }
  const service: HostCredential = { token: config.codeHost.token?.reveal(), until }
  const asking = service.token === undefined && own ? own : service
  let isUnknown = false
  for (const organization of config.signUp.organizations) {
    if (await host.isPublicMember(asking, organization, login)) return 'member'
    const membership = own ? await host.ownMembership(own, organization).catch(unknownIfRefused) : 'unknown'
    if (membership === 'member') return 'member'
    if (membership === 'unknown') isUnknown = true
  }
  return isUnknown ? 'unknown' : 'not_member'
}

interface Member extends Pick<Session, 'issuer' | 'bearer'> {
  user: UserRow
}

/** Limits how often the code host is asked, because a refused token may be sent again and again. */
const membershipChecks = perContext(({ now }: Context) => boundedChecks<true>(now))

/**
 * Checks daily that a user is still a member, if the account depends on it. If not, none of its sessions works until
 * the user is a member again.
 */
export async function requireMember(ctx: Context, member: Member, address: string): Promise<void> {
  const { issuer, bearer, user } = member
  const hostToken = issuer === HOST_ISSUER && bearer ? bearer : await findSavedToken(ctx, user.id)
  const key = `${user.id} ${hostToken?.sha256().toString('hex')}`
  const isMember = await membershipChecks(ctx)(key, address, () => checkMembership(ctx, user, hostToken))
  if (!isMember) throw membershipRequired(whoMaySignUp(ctx.config.signUp))
}

/** Null if the user is no member. A token that cannot see the membership says nothing about other tokens. */
async function checkMembership(ctx: Context, user: UserRow, hostToken: Secret | null): Promise<true | null> {
  const isLost = await isMembershipLost(ctx.db, user.id)
  const now = ctx.now()
  const membership = await currentMembership(ctx, user, hostToken, isLost).catch((error) => {
    const isUnreachable = error instanceof HostUnavailable || error instanceof HostRateLimited
    if (!isUnreachable || isLost) throw error
    return 'unreachable' as const
  })
  if (membership === 'unknown') return null
  const retryAt = new Date(now.getTime() - MEMBERSHIP_MINUTES * MINUTE_MS + RETRY_MS)
  const checkedAt = membership === 'unreachable' ? retryAt : now
  await updateMembership(ctx.db, user.id, { checkedAt, isLost: membership === 'not_member' })
  return membership === 'not_member' ? null : true
}

/** By the rule of today: the operator may have changed it since the user signed up. */
async function currentMembership(
  ctx: Context,
  user: UserRow,
  hostToken: Secret | null,
  wasLost: boolean,
): Promise<Membership> {
  const { signUp, codeHost } = ctx.config
  if (signUp.isOpen) return 'member'
  // The login may have changed since it was stored, and belong to another user now.
  const profile = await ctx.host.userById({ token: codeHost.token?.reveal() }, user.host_user_id)
  const login = profile?.login ?? user.host_username
  if (isListed(signUp, login)) return 'member'
  if (signUp.organizations.length === 0) return wasLost ? 'not_member' : 'member'
  return membershipOf(ctx, login, hostToken)
}

function unknownIfRefused(error: unknown): Membership {
  if (error instanceof HostTokenRefused) return 'unknown'
  throw error
}
