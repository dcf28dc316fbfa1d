import type { Context } from '../../context.ts'
import { deleteSession } from '../../db/accounts/endedSessions.ts'
import { pauseSession, replaceToken } from '../../db/accounts/sessions.ts'
import { findToken } from '../../db/accounts/tokens.ts'
import {
  findHostToken,
  lockUser,
  markHostTokenRefused,
  pauseHostToken,
  replaceSealed,
  updateProfile,
  upsertHostToken,
} from '../../db/accounts/users.ts'
import { forgetAccessOf } from '../../db/repositories/repositories.ts'
import type { HostTokenRow } from '../../db/schema/schema.ts'
import { forbidden, Problem } from '../../errors.ts'
import type { HostUser } from '../../host/codeHost.ts'
import type { HostCredential } from '../../host/credential.ts'
import { HostRateLimited, HostSearchLimited, HostTokenRefused, TRIAL_INTERVAL_SECONDS } from '../../host/errors.ts'
import { isApiToken } from '../../lib/apiToken.ts'
import { isPending } from '../../lib/clock.ts'
import { MAX_PAUSE_SECONDS } from '../../lib/maxPause.ts'
import { perContext } from '../../lib/perContext.ts'
import { Secret } from '../../lib/secret.ts'
import { RECHECK_MS } from './authenticate.ts'
import { forbiddenAsRefused, HOST_ISSUER } from './bearer.ts'
import { boundedChecks } from './boundedChecks.ts'
import { tokenKeys } from './credential.ts'
import { unauthenticated, userNotFound } from './problems.ts'
import { profileColumns } from './profile.ts'
import { tokenInsteadOf } from './renewal.ts'
import { isOutdated, seal, unseal } from './seal.ts'
import type { Session, Viewer } from './session.ts'

const SAVED_TOKEN_REFUSED = 'The code host refuses the saved access token. Save a new one.'

/**
 * Calls the code host with the viewer's own token. A session that was opened with a code-host token uses only that
 * token, so a weak token never gains the rights of a stronger one. All other sessions use the token saved for the
 * account.
 */
export async function askHost<T>(
  ctx: Context,
  viewer: Viewer,
  call: (credential: HostCredential) => Promise<T>,
): Promise<T> {
  if (viewer.issuer !== HOST_ISSUER || !viewer.bearer) return askWithSavedToken(ctx, viewer, call)
  requireNotRateLimited(ctx, viewer.paused_until)
  return askWithOwnToken(ctx, { ...viewer, bearer: viewer.bearer }, call).catch(async (error) => {
    if (isTokenLimited(error)) await pauseSession(ctx.db, viewer.id, rateLimitEnd(ctx, error), ctx.now())
    if (!(error instanceof HostTokenRefused)) throw error
    await deleteSession(ctx.db, viewer.id)
    throw unauthenticated()
  })
}

/**
 * Calls the code host with the session's token. If the code host refuses the token of a browser session, calls again
 * with a renewed one: another request may have renewed the token, which ends the old one at once.
 */
async function askWithOwnToken<T>(
  ctx: Context,
  viewer: Viewer & { bearer: Secret },
  call: (credential: HostCredential) => Promise<T>,
): Promise<T> {
  const ask = (token: Secret) => call({ token: token.reveal(), until: viewer.until })
  return ask(viewer.bearer).catch(async (error) => {
    if (!viewer.isCookie || !(error instanceof HostTokenRefused)) throw error
    const token = await tokenInsteadOf(ctx, viewer, viewer.bearer)
    if (!token) throw error
    return ask(token)
  })
}

function isTokenLimited(error: unknown): error is HostRateLimited {
  return error instanceof HostRateLimited && !(error instanceof HostSearchLimited)
}

/**
 * Throws while the code host's rate limit for the token is exceeded. The end of the limit is stored, so it applies to
 * all nodes.
 */
function requireNotRateLimited(ctx: Context, until: Date | null): void {
  if (!until || !isPending(until, ctx.now(), MAX_PAUSE_SECONDS * 1000)) return
  throw new HostRateLimited(Math.max(1, Math.ceil((until.getTime() - ctx.now().getTime()) / 1000)))
}

/** The end of a rate limit, but not later than the next trial call. */
function rateLimitEnd(ctx: Context, { retryAfter }: HostRateLimited): Date {
  return new Date(ctx.now().getTime() + Math.min(retryAfter, TRIAL_INTERVAL_SECONDS) * 1000)
}

async function askWithSavedToken<T>(
  ctx: Context,
  viewer: Viewer,
  call: (credential: HostCredential) => Promise<T>,
): Promise<T> {
  const saved = await findHostToken(ctx.db, viewer.user.id)
  if (!saved) throw hostTokenRequired()
  if (saved.refused_at) throw hostTokenInvalid(SAVED_TOKEN_REFUSED)
  const token = unseal(ctx.encryptionKeys, saved, viewer.user.id)
  if (token === undefined) throw hostTokenInvalid('The saved access token can no longer be read. Save it again.')
  requireNotRateLimited(ctx, saved.paused_until)
  const result = await call({ token, until: viewer.until }).catch(async (error) => {
    if (isTokenLimited(error)) await pauseHostToken(ctx.db, saved, rateLimitEnd(ctx, error))
    if (!(error instanceof HostTokenRefused)) throw error
    await markHostTokenRefused(ctx.db, saved, ctx.now())
    throw hostTokenInvalid(SAVED_TOKEN_REFUSED)
  })
  if (isOutdated(ctx.encryptionKeys, saved))
    await replaceSealed(ctx.db, saved, seal(ctx.encryptionKeys, token, viewer.user.id))
  return result
}

/** Saves the token for the account's API tokens and for its sessions that have no code-host token of their own. */
export async function saveToken(ctx: Context, viewer: Viewer, token: string) {
  const owner = await ownerOfOfferedToken(ctx, viewer, token)
  requireSameHostUser(owner, viewer.user.host_user_id)
  const row = sealedHostToken(ctx, viewer.user.id, token)
  await ctx.db.transaction().execute(async (trx) => {
    if (!(await lockUser(trx, viewer.user.id))) throw userNotFound()
    await upsertHostToken(trx, row)
    await updateProfile(trx, viewer, profileColumns(owner), ctx.now())
    await forgetAccessOf(trx, viewer)
    if (viewer.isCookie && viewer.bearer) await replaceToken(trx, viewer.id, sessionToken(ctx, viewer.id, token))
  })
  return { hostUsername: owner.login, scopes: owner.scopes, savedAt: row.saved_at }
}

function sessionToken(ctx: Context, sessionId: string, token: string) {
  const now = ctx.now()
  return {
    ...seal(ctx.encryptionKeys, token, sessionId),
    opened_by: ctx.bearer.revocationHash(new Secret(token)),
    verified_at: now,
    recheck_after: new Date(now.getTime() + RECHECK_MS),
  }
}

export function sealedHostToken(ctx: Context, userId: string, token: string): HostTokenRow {
  return {
    user_id: userId,
    ...seal(ctx.encryptionKeys, token, userId),
    saved_at: ctx.now(),
    refused_at: null,
    paused_until: null,
  }
}

/** Limits the checks of code-host tokens that users save. */
const offeredTokens = perContext(({ now }: Context) => boundedChecks<HostUser>(now))

/** The owner of a token to be saved. Rejected tokens are limited, to prevent guessing. */
export async function ownerOfOfferedToken(ctx: Context, session: Session, token: string): Promise<HostUser> {
  if (isApiToken(new Secret(token))) throw hostTokenInvalid('This is an API token, not a token of the code host.')
  const tokenHash = new Secret(token).sha256().toString('hex')
  const owner = await offeredTokens(ctx)(tokenHash, `${session.issuer} ${session.subject}`, () =>
    ctx.host.tokenOwner({ token, until: session.until }).catch(forbiddenAsRefused),
  )
  if (!owner) throw hostTokenInvalid('The code host refuses this access token.')
  if (await wasLoggedOut(ctx, token)) throw hostTokenInvalid('This access token was logged out.')
  return owner
}

async function wasLoggedOut(ctx: Context, token: string): Promise<boolean> {
  if (ctx.bearer.issuer !== HOST_ISSUER) return false
  const keys = tokenKeys(ctx, { token: new Secret(token), isCookie: false })
  return (await findToken(ctx.db, keys, ctx.now())).state === 'ended'
}

export function requireSameHostUser(owner: HostUser, hostUserId: number): void {
  if (owner.id !== hostUserId)
    throw forbidden('token_owner_mismatch', 'This access token belongs to another user of the code host.')
}

export function hostTokenRequired(): Problem {
  return new Problem('HOST_TOKEN_REQUIRED', 'An access token of the code host is required.')
}

function hostTokenInvalid(message: string): Problem {
  return new Problem('HOST_TOKEN_INVALID', message)
}
