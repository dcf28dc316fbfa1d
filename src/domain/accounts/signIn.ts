import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Context } from '../../context.ts'
import { deleteOldOfBrowsers, endToken } from '../../db/accounts/endedSessions.ts'
import { insertRefreshToken } from '../../db/accounts/refreshTokens.ts'
import { insertSession } from '../../db/accounts/sessions.ts'
import { findToken } from '../../db/accounts/tokens.ts'
import { findUser } from '../../db/accounts/users.ts'
import type { UserRow } from '../../db/schema/schema.ts'
import { Problem } from '../../errors.ts'
import { Secret } from '../../lib/secret.ts'
import { DAY_MS } from '../../lib/times.ts'
import { newSession, unknownTokens } from './authenticate.ts'
import { HOST_ISSUER, type Identity } from './bearer.ts'
import { createAccount } from './createAccount.ts'
import { tokenKeys } from './credential.ts'
import { requireAccountMayAct } from './mayAct.ts'
import type { HostTokens } from './oauth.ts'
import { unauthenticated } from './problems.ts'
import { sealedRefreshToken } from './renewal.ts'
import { seal } from './seal.ts'
import type { Viewer } from './session.ts'

const TOKEN_BYTES = 32
const MAX_SESSION_MS = 30 * DAY_MS
const MAX_BROWSERS = 20

export interface BrowserSession {
  /** The value of the session cookie. */
  token: Secret
  expiresAt: Date
  user: UserRow
}

interface SignInOptions {
  /** The client's IP address, which a refused token counts against; null if the code host has just issued the token to us. */
  address: string | null
  language: string
  /** The browser's previous session, which signing in ends. */
  former: Former
}

/** The session cookie of a browser, and the viewer if its session could be verified. */
interface Former {
  cookie: Secret | undefined
  viewer: Viewer | undefined
}

/**
 * Opens a browser session for the owner of a token, and creates the account if there is none. A code-host token is
 * stored with the session, which uses no other token. The session ends when the code host refuses the token and does
 * not renew it.
 */
export async function signIn(
  ctx: Context,
  { access: token, accessExpiresAt, refresh }: HostTokens,
  { address, language, former }: SignInOptions,
): Promise<BrowserSession> {
  const identity = await verifyToken(ctx, token, address)
  const { issuer } = ctx.bearer
  const user = await accountOf(ctx, identity, language, issuer === HOST_ISSUER ? token : null)
  await requireAccountMayAct(ctx, { issuer, bearer: token, user }, address ?? user.id)
  const own = new Secret(randomBytes(TOKEN_BYTES).toString('base64url'))
  const latest = new Date(ctx.now().getTime() + MAX_SESSION_MS)
  const expiresAt = identity.expiresAt && identity.expiresAt < latest ? identity.expiresAt : latest
  const id = randomUUIDv7()
  const { check_after, ...session } = newSession(ctx, tokenKeys(ctx, { token: own, isCookie: true }), identity)
  await ctx.db.transaction().execute(async (trx) => {
    await insertSession(trx, {
      ...session,
      id,
      check_after: null,
      recheck_after: check_after,
      expires_at: expiresAt,
      is_cookie: true,
      opened_by: ctx.bearer.revocationHash(token),
      ...(ctx.bearer.issuer === HOST_ISSUER && seal(ctx.encryptionKeys, token.reveal(), id)),
    })
    if (refresh)
      await insertRefreshToken(trx, {
        session_id: id,
        ...sealedRefreshToken(ctx, id, refresh),
        access_expires_at: accessExpiresAt,
        refused_at: null,
      })
  })
  await signOut(ctx, former)
  await deleteOldOfBrowsers(ctx.db, user, MAX_BROWSERS, ctx.now())
  return { token: own, expiresAt, user }
}

/** Ends only the browser's session: the token it was opened with stays valid. */
export async function signOut(ctx: Context, { cookie, viewer }: Former): Promise<void> {
  const hash = viewer?.revocation_hash ?? (cookie && (await findRevocationHash(ctx, cookie)))
  if (hash) await endToken(ctx.db, hash, ctx.now())
}

/**
 * The hash that revokes the session of a cookie; undefined for an unknown session. The hashes of ended tokens are kept
 * forever, so a caller must not be able to add arbitrary ones.
 */
async function findRevocationHash(ctx: Context, token: Secret): Promise<Buffer | undefined> {
  const keys = tokenKeys(ctx, { token, isCookie: true })
  const { session } = await findToken(ctx.db, keys, ctx.now())
  return session ? keys.revocation_hash : undefined
}

async function verifyToken(ctx: Context, token: Secret, address: string | null): Promise<Identity> {
  const keys = tokenKeys(ctx, { token, isCookie: false })
  const { state } = await findToken(ctx.db, keys, ctx.now())
  if (state === 'ended') throw unauthenticated('This token was logged out.')
  const verify = async () => {
    const identity = await ctx.bearer.verify(token)
    return identity && { identity }
  }
  const key = `signing in ${keys.token_hash.toString('hex')}`
  const checked = await (address === null ? verify() : unknownTokens(ctx)(key, address, verify))
  if (!checked?.identity) throw unauthenticated('This token is not valid.')
  return checked.identity
}

async function accountOf(
  ctx: Context,
  identity: Identity,
  language: string,
  hostToken: Secret | null,
): Promise<UserRow> {
  const owner = { issuer: ctx.bearer.issuer, subject: identity.subject }
  const user = await findUser(ctx.db, owner)
  if (user) return user
  return createAccount(ctx, { ...owner, identity, hostToken }, { language }).catch(async (error) => {
    const existing = error instanceof Problem && error.code === 'USER_ALREADY_EXISTS' && (await findUser(ctx.db, owner))
    if (existing) return existing
    throw error
  })
}
