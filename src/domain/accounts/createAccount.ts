import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../../context.ts'
import { isHostUserBlocked } from '../../db/accounts/accountState.ts'
import { deleteSession } from '../../db/accounts/endedSessions.ts'
import { insertUser, upsertHostToken } from '../../db/accounts/users.ts'
import type { UserRow } from '../../db/schema/schema.ts'
import { Problem } from '../../errors.ts'
import type { HostUser } from '../../host/codeHost.ts'
import { Secret } from '../../lib/secret.ts'
import { HOST_ISSUER, type Identity } from './bearer.ts'
import { ownerOfOfferedToken, sealedHostToken } from './hostTokens.ts'
import { requireMaySignUp } from './maySignUp.ts'
import { accountBlocked, unauthenticated } from './problems.ts'
import { profileColumns } from './profile.ts'
import { profileFor } from './profileFor.ts'
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
  const { issuer, subject, bearer } = session
  const offered = options.hostAccessToken ? new Secret(options.hostAccessToken) : null
  const hostToken = issuer === HOST_ISSUER ? bearer : offered
  return createAccount(ctx, { issuer, subject, identity, hostToken }, options, owner || undefined)
}

interface VerifiedIdentity {
  issuer: string
  subject: string
  identity: Identity
  /** The user's own token of the code host, if there is one. */
  hostToken: Secret | null
}

/** Creates an account with the profile from the code host. An identity has at most one account. */
export async function createAccount(
  ctx: Context,
  { issuer, subject, identity, hostToken }: VerifiedIdentity,
  options: AccountOptions,
  owner?: HostUser,
) {
  const profile = await profileFor(ctx, identity, owner)
  if (await isHostUserBlocked(ctx.db, profile.id)) throw accountBlocked()
  const dependsOnMembership = await requireMaySignUp(ctx, profile, hostToken)
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
      membership_checked_at: dependsOnMembership ? now : null,
    })
    if (!user) throw alreadyExists()
    if (options.hostAccessToken !== undefined)
      await upsertHostToken(trx, sealedHostToken(ctx, user.id, options.hostAccessToken))
    return user
  })
}

function alreadyExists(): Problem {
  return new Problem('USER_ALREADY_EXISTS', 'This identity already has an account.')
}
