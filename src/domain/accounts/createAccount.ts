import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../../context.ts'
import { isHostUserBlocked } from '../../db/accounts/accountState.ts'
import { deleteSession } from '../../db/accounts/endedSessions.ts'
import { insertUser, upsertHostToken } from '../../db/accounts/users.ts'
import type { UserRow } from '../../db/schema/schema.ts'
import { Problem } from '../../errors.ts'
import type { HostUser } from '../../host/codeHost.ts'
import type { Identity } from './bearer.ts'
import { hostTokenRequired, ownerOfOfferedToken, requireSameHostUser, sealedHostToken } from './hostTokens.ts'
import { accountBlocked, unauthenticated } from './problems.ts'
import { profileColumns } from './profile.ts'
import type { Session } from './session.ts'

const DEFAULT_LANGUAGE = 'ja'

interface AccountOptions {
  language?: string
  hostAccessToken?: string
}

/** Creates the account of a session that has none. */
export async function signUpWith(ctx: Context, session: Session, options: AccountOptions): Promise<UserRow> {
  if (session.user) throw alreadyExists()
  const owner = options.hostAccessToken && (await ownerOfOfferedToken(ctx, session, options.hostAccessToken))
  const identity = session.identity ?? (session.bearer && (await ctx.bearer.verify(session.bearer)))
  if (!identity) {
    await deleteSession(ctx.db, session.id)
    throw unauthenticated()
  }
  return createAccount(ctx, { issuer: session.issuer, subject: session.subject, identity }, options, owner || undefined)
}

interface VerifiedIdentity {
  issuer: string
  subject: string
  identity: Identity
}

/** Creates an account with the profile from the code host. An identity has at most one account. */
export async function createAccount(
  ctx: Context,
  { issuer, subject, identity }: VerifiedIdentity,
  options: AccountOptions,
  owner?: HostUser,
) {
  const profile = await profileFor(ctx, identity, owner)
  if (await isHostUserBlocked(ctx.db, profile.id)) throw accountBlocked()
  const now = ctx.now()
  return ctx.db.transaction().execute(async (trx) => {
    const user = await insertUser(trx, {
      id: randomUUIDv7(),
      issuer,
      subject,
      host_user_id: profile.id,
      ...profileColumns(profile),
      language: options.language ?? DEFAULT_LANGUAGE,
      created_at: now,
      updated_at: now,
    })
    if (!user) throw alreadyExists()
    if (options.hostAccessToken !== undefined)
      await upsertHostToken(trx, sealedHostToken(ctx, user.id, options.hostAccessToken))
    return user
  })
}

/**
 * The user's profile on the code host. The user is the owner of the bearer token, the owner of `hostAccessToken`, or
 * the user whose id the issuer asserts.
 */
async function profileFor(ctx: Context, identity: Identity, owner: HostUser | undefined): Promise<HostUser> {
  if (owner && identity.hostUserId !== null) requireSameHostUser(owner, identity.hostUserId)
  const profile = identity.profile ?? owner
  if (profile) return profile
  if (identity.hostUserId === null) throw hostTokenRequired()
  const user = await ctx.host.userById({ token: ctx.config.codeHost.token?.reveal() }, identity.hostUserId)
  if (!user) throw hostTokenRequired()
  return user
}

function alreadyExists(): Problem {
  return new Problem('USER_ALREADY_EXISTS', 'This identity already has an account.')
}
