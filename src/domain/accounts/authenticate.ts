import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../../context.ts'
import { deleteSession } from '../../db/accounts/endedSessions.ts'
import { insertSession, RECHECK_MINUTES, reseal, updateChecks } from '../../db/accounts/sessions.ts'
import { findToken, type KnownSession, type TokenKeys } from '../../db/accounts/tokens.ts'
import { updateProfile } from '../../db/accounts/users.ts'
import type { NewSession } from '../../db/schema/schema.ts'
import type { Problem } from '../../errors.ts'
import { HostRateLimited, HostUnavailable } from '../../host/errors.ts'
import { isApiToken } from '../../lib/apiToken.ts'
import { isRecent } from '../../lib/clock.ts'
import { perContext } from '../../lib/perContext.ts'
import { Secret } from '../../lib/secret.ts'
import { singleFlight } from '../../lib/singleFlight.ts'
import { MINUTE_MS } from '../../lib/times.ts'
import { HOST_ISSUER, type Identity } from './bearer.ts'
import { boundedChecks } from './boundedChecks.ts'
import { type Credential, tokenKeys } from './credential.ts'
import { requireMayAct, requireNotBlocked } from './mayAct.ts'
import { unauthenticated } from './problems.ts'
import { profileColumns } from './profile.ts'
import { freshToken, isRenewalRefused, renewalRefused, tokenInsteadOf } from './renewal.ts'
import { isOutdated, seal, unseal } from './seal.ts'
import type { Session } from './session.ts'

export const RECHECK_MS = RECHECK_MINUTES * MINUTE_MS
const RETRY_RECHECK_MS = MINUTE_MS
const HOST_TIMEOUT_MS = 15_000
const MAX_UNVERIFIED_MS = 24 * 60 * MINUTE_MS
const SIGNED_OUT = 'This session has ended. Sign in again.'

/** Limits how many tokens without a session the issuer is asked to verify. */
export const unknownTokens = perContext(({ now }: Context) => boundedChecks<{ identity: Identity | null }>(now))
/** Running rechecks by session id, so that concurrent requests share one. */
const rechecks = perContext(() => singleFlight<Recheck>())

/** Finds or opens the session of a token. A known token is authenticated by its session, without asking the issuer. */
export async function authenticate(ctx: Context, credential: Credential, address: string): Promise<Session> {
  const { account_state, ...session } = await findSession(ctx, credential, address)
  await requireMayAct(ctx, account_state, session, address)
  return session
}

async function findSession(ctx: Context, credential: Credential, address: string) {
  const until = performance.now() + HOST_TIMEOUT_MS
  const { token, isCookie } = credential
  const keys = tokenKeys(ctx, credential)
  const own = { revocation_hash: keys.revocation_hash, isCookie, until }
  const { state, session: known } = await findToken(ctx.db, keys, ctx.now())
  if (state === 'ended') throw await endedProblem(ctx, credential)
  if (!known && isCookie) throw unauthenticated(SIGNED_OUT)
  if (!known && isApiToken(token)) throw await unknownApiToken(ctx, keys, address)
  if (!known) return { ...(await openSession(ctx, token, keys, address)), ...own, bearer: token }
  if (state === 'other_issuer') throw unauthenticated()
  if (state === 'expired') throw unauthenticated('This token has expired.')
  requireNotBlocked(known.account_state)
  const bearer = isCookie ? hostTokenOf(ctx, known) : known.token_scopes ? null : token
  const session = { ...known, ...own, bearer, identity: null }
  if (state !== 'check_due' || !bearer) return session
  return { ...session, ...(await rechecks(ctx)(known.id, () => recheck(ctx, { ...session, bearer }, known))) }
}

async function endedProblem(ctx: Context, { token, isCookie }: Credential): Promise<Problem> {
  if (!isCookie) return unauthenticated(`This token was ${isApiToken(token) ? 'revoked' : 'logged out'}.`)
  return (await isRenewalRefused(ctx, token)) ? renewalRefused() : unauthenticated(SIGNED_OUT)
}

/** Unknown API tokens are never sent to the issuer, but count like tokens that it refused. */
async function unknownApiToken(ctx: Context, keys: TokenKeys, address: string): Promise<Problem> {
  await unknownTokens(ctx)(keys.token_hash.toString('hex'), address, async () => null)
  return unauthenticated('There is no such API token. It may have expired long ago, or its account was deleted.')
}

/**
 * The code-host token of a browser session; null if the session was opened with a token of an OpenID Connect issuer.
 */
function hostTokenOf(ctx: Context, { id, issuer, key_id, sealed }: KnownSession): Secret | null {
  if (issuer !== HOST_ISSUER) return null
  if (key_id === null || sealed === null) throw unauthenticated(SIGNED_OUT)
  const token = unseal(ctx.encryptionKeys, { key_id, sealed }, id)
  if (token === undefined) throw unauthenticated(SIGNED_OUT)
  return new Secret(token)
}

async function openSession(ctx: Context, token: Secret, keys: TokenKeys, address: string, isRetry = false) {
  const opened = await unknownTokens(ctx)(keys.token_hash.toString('hex'), address, async () => {
    // An earlier check may have just opened the session.
    const { session } = await findToken(ctx.db, keys, ctx.now())
    if (session) return { identity: null }
    const identity = await ctx.bearer.verify(token)
    if (identity) await insertSession(ctx.db, newSession(ctx, keys, identity))
    return identity && { identity }
  })
  if (!opened) throw unauthenticated()
  const { state, session } = await findToken(ctx.db, keys, ctx.now())
  if (state === 'ended') throw unauthenticated()
  if (session) return { ...session, ...opened }
  // The session was deleted with its account meanwhile. The token is still valid, so open another session, but only
  // once.
  if (isRetry) throw unauthenticated()
  return openSession(ctx, token, keys, address, true)
}

export function newSession(ctx: Context, keys: TokenKeys, identity: Identity): NewSession {
  const now = ctx.now()
  return {
    id: randomUUIDv7(),
    ...keys,
    subject: identity.subject,
    created_at: now,
    verified_at: now,
    check_after: ctx.bearer.verifyAgain ? later(ctx, RECHECK_MS) : null,
    expires_at: identity.expiresAt,
    revoked_at: null,
    paused_until: null,
  }
}

/**
 * The result of checking a session again: its token, which may have been renewed, and the identity if it was verified.
 */
interface Recheck {
  bearer: Secret
  identity: Identity | null
}

type CheckedSession = Session & { bearer: Secret }

/**
 * Verifies a token again, after renewing it if it expires soon. While its issuer is unreachable, the last verification
 * stays valid for a day.
 */
async function recheck(ctx: Context, session: CheckedSession, known: KnownSession): Promise<Recheck> {
  const checked = await verifyRenewed(ctx, session).catch(async (error) => {
    const isUnreachable = error instanceof HostUnavailable || error instanceof HostRateLimited
    const isStillValid = isRecent(known.verified_at, ctx.now(), MAX_UNVERIFIED_MS)
    if (!isUnreachable || !isStillValid) throw error
    await updateChecks(ctx.db, known.id, nextCheck(known, later(ctx, RETRY_RECHECK_MS)))
    return undefined
  })
  if (checked === undefined) return { bearer: session.bearer, identity: null }
  const { bearer, identity } = checked
  if (identity?.subject !== known.subject) {
    await deleteSession(ctx.db, known.id)
    throw unauthenticated()
  }
  await updateChecks(ctx.db, known.id, { verified_at: ctx.now(), ...nextCheck(known, later(ctx, RECHECK_MS)) })
  if (known.sealed && known.key_id && isOutdated(ctx.encryptionKeys, { key_id: known.key_id, sealed: known.sealed }))
    await reseal(ctx.db, known.id, known.sealed, seal(ctx.encryptionKeys, bearer.reveal(), known.id))
  if (identity.profile) await updateProfile(ctx.db, known, profileColumns(identity.profile), ctx.now())
  return { bearer, identity }
}

/**
 * Verifies the token again. The token of a browser session is renewed first if necessary. Undefined if the issuer
 * cannot revoke tokens.
 */
async function verifyRenewed(ctx: Context, session: CheckedSession): Promise<Recheck | undefined> {
  const { verifyAgain } = ctx.bearer
  if (!verifyAgain) return undefined
  const bearer = session.isCookie ? await freshToken(ctx, session, session.bearer) : session.bearer
  const identity = await verifyAgain(bearer)
  const renewed = identity || !session.isCookie ? undefined : await tokenInsteadOf(ctx, session, bearer)
  return renewed ? { bearer: renewed, identity: await verifyAgain(renewed) } : { bearer, identity }
}

function nextCheck({ sealed }: KnownSession, at: Date) {
  return sealed ? { recheck_after: at } : { check_after: at }
}

function later(ctx: Context, milliseconds: number): Date {
  return new Date(ctx.now().getTime() + milliseconds)
}
