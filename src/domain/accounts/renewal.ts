import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { endUnrenewed, findRenewable, storeRenewed, wasRenewalRefused } from '../../db/accounts/refreshTokens.ts'
import type { Problem } from '../../errors.ts'
import { HostUnavailable } from '../../host/errors.ts'
import { perContext } from '../../lib/perContext.ts'
import { Secret } from '../../lib/secret.ts'
import { withLease } from '../../runtime/jobs/withLease.ts'
import { tokenKeys } from './credential.ts'
import { type HostTokens, OAUTH_TIMEOUT_MS, renewTokens } from './oauth.ts'
import { unauthenticated } from './problems.ts'
import { type Sealed, seal, unseal } from './seal.ts'
import type { Session } from './session.ts'

/** A token is renewed this long before it expires: longer than the time between two checks of a session in use. */
const RENEW_BEFORE_MS = 30 * 60_000
const STORE_ATTEMPTS = 20
const STORE_PAUSE_MS = 250

const runningRenewals = perContext(() => new Set<Promise<void>>())

type RenewableSession = Pick<Session, 'id' | 'revocation_hash' | 'until'>
type Renewable = NonNullable<Awaited<ReturnType<typeof findRenewable>>>

/** The owner that `seal` binds a refresh token to. */
export function sealedForRenewalOf(sessionId: string): string {
  return `renewal of ${sessionId}`
}

export function sealedRefreshToken(ctx: Context, sessionId: string, refresh: Secret): Sealed {
  return seal(ctx.encryptionKeys, refresh.reveal(), sealedForRenewalOf(sessionId))
}

/**
 * The host token of a browser session, renewed if it expires soon. If the code host cannot renew it now, it is used until it
 * expires.
 */
export async function freshToken(ctx: Context, session: RenewableSession, token: Secret): Promise<Secret> {
  const row = await findRenewable(ctx.db, session.id)
  if (!row) return token
  const { access_expires_at: expiresAt } = row
  const lifetimeMs = expiresAt ? expiresAt.getTime() - ctx.now().getTime() : Number.POSITIVE_INFINITY
  if (lifetimeMs > RENEW_BEFORE_MS) return accessTokenIn(ctx, session, row) ?? token
  try {
    return (await renew(ctx, session, row.opened_by)) ?? token
  } catch (error) {
    if (error instanceof HostUnavailable && lifetimeMs > 0) return token
    throw error
  }
}

/** The token to use instead of one that the code host has just refused; undefined if there is none. */
export async function tokenInsteadOf(
  ctx: Context,
  session: RenewableSession,
  refused: Secret,
): Promise<Secret | undefined> {
  return renew(ctx, session, ctx.bearer.revocationHash(refused))
}

/** Whether a browser session ended because the code host refused to renew its token. */
export async function isRenewalRefused(ctx: Context, cookie: Secret): Promise<boolean> {
  return wasRenewalRefused(ctx.db, tokenKeys(ctx, { token: cookie, isCookie: true }).token_hash)
}

export function renewalRefused(): Problem {
  return unauthenticated('The code host refused to renew this session. Sign in again.')
}

/**
 * Renews the token whose hash is `openedBy`, or returns the one that has already replaced it. A refresh token works
 * once, so one request of one node uses it while the others wait. Undefined if the token could not be replaced.
 */
async function renew(ctx: Context, session: RenewableSession, openedBy: Buffer): Promise<Secret | undefined> {
  const name = `renewing ${session.id}`
  await withLease(ctx, {
    name,
    sharedAs: name,
    until: session.until,
    isDone: async () => {
      const state = await findRenewable(ctx.db, session.id)
      return !state?.opened_by.equals(openedBy) || !refreshTokenIn(ctx, session, state)
    },
    work: (isExclusive) => finishBeforeClosing(ctx, exchange(ctx, session, isExclusive)),
  })
  const row = await findRenewable(ctx.db, session.id)
  // The revocation hash of a cookie is also the hash that finds its session.
  if (!row && (await wasRenewalRefused(ctx.db, session.revocation_hash))) throw renewalRefused()
  return row && !row.opened_by.equals(openedBy) ? accessTokenIn(ctx, session, row) : undefined
}

async function exchange(ctx: Context, session: RenewableSession, isExclusive: () => Promise<boolean>): Promise<void> {
  const row = await findRenewable(ctx.db, session.id)
  const refreshToken = row && refreshTokenIn(ctx, session, row)
  if (!row || !refreshToken) return
  const former = { sessionId: session.id, openedBy: row.opened_by }
  const tokens = await renewTokens(ctx, refreshToken).catch((error) => {
    ctx.log.warn({ err: error }, 'Could not renew the access token of a session.')
    throw error
  })
  if (tokens === 'refused' && !(await isExclusive())) await waitForOtherNode(ctx, former)
  if (tokens === 'refused')
    return endUnrenewed(ctx.db, { ...former, revocationHash: session.revocation_hash }, ctx.now())
  await storeSurely(() => storeRenewed(ctx.db, former, renewedRows(ctx, session, tokens, refreshToken)))
}

/** Waits for new tokens that another node may have received, but not stored yet. */
async function waitForOtherNode(ctx: Context, former: { sessionId: string; openedBy: Buffer }): Promise<void> {
  const deadline = performance.now() + OAUTH_TIMEOUT_MS
  const isRenewed = async () => !(await findRenewable(ctx.db, former.sessionId))?.opened_by.equals(former.openedBy)
  while (!(await isRenewed()) && performance.now() < deadline) await sleep(STORE_PAUSE_MS)
}

/** The rows for renewed tokens. A code host that returns no new refresh token keeps accepting the old one. */
function renewedRows(ctx: Context, { id }: RenewableSession, tokens: HostTokens, former: Secret) {
  const { access, accessExpiresAt, refresh } = tokens
  return {
    access: { ...seal(ctx.encryptionKeys, access.reveal(), id), opened_by: ctx.bearer.revocationHash(access) },
    refresh: { ...sealedRefreshToken(ctx, id, refresh ?? former), access_expires_at: accessExpiresAt },
  }
}

/**
 * Retries storing new tokens for about 5 s. The code host no longer accepts the old ones, so a short failure of the
 * database must not lose the new ones.
 */
async function storeSurely(store: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store()
    } catch (error) {
      if (attempt === STORE_ATTEMPTS) throw error
      await sleep(STORE_PAUSE_MS)
    }
  }
}

function finishBeforeClosing(ctx: Context, work: Promise<void>): Promise<void> {
  const running = runningRenewals(ctx)
  const tracked = work.finally(() => running.delete(tracked))
  running.add(tracked)
  return tracked
}

/** Waits until running renewals have ended, because a refresh token that was used must be replaced. */
export async function settleRenewals(ctx: Context): Promise<void> {
  await Promise.allSettled(runningRenewals(ctx))
}

/** The decrypted refresh token; undefined without an OAuth app, or without the key that encrypted it. */
function refreshTokenIn(ctx: Context, { id }: RenewableSession, row: Renewable): Secret | undefined {
  if (!ctx.config.codeHost.oauth) return undefined
  return unsealed(ctx, { key_id: row.refresh_key_id, sealed: row.refresh_sealed }, sealedForRenewalOf(id))
}

function accessTokenIn(ctx: Context, { id }: RenewableSession, row: Renewable): Secret | undefined {
  return unsealed(ctx, row, id)
}

function unsealed(ctx: Context, sealed: Sealed, owner: string): Secret | undefined {
  const text = unseal(ctx.encryptionKeys, sealed, owner)
  return text === undefined ? undefined : new Secret(text)
}
