import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { authenticate } from '../../domain/accounts/authenticate.ts'
import { type Credential, tokenKeys } from '../../domain/accounts/credential.ts'
import { requireLive, requireLiveViewer } from '../../domain/accounts/liveSession.ts'
import { unauthenticated, userNotFound } from '../../domain/accounts/problems.ts'
import type { Session, Viewer } from '../../domain/accounts/session.ts'
import { type NeededScope, requireScope } from '../../domain/accounts/tokenScopes.ts'
import type { UnverifiedCredential } from '../../domain/accounts/unverifiedCredential.ts'
import { addLogFields } from '../../lib/logFields.ts'
import { Secret } from '../../lib/secret.ts'
import { cookiesOf } from './cookies.ts'
import { isCrossSite, isSecure, requireSameOrigin } from './sameOrigin.ts'

interface AuthRequirements {
  security: 'none' | 'optional' | 'bearer'
  account: 'required' | 'optional'
  tokenScope: NeededScope
}

/** The caller of a request. The session is looked up on demand and at most once. */
export interface Caller {
  credential: Credential | null
  session(): Promise<Session | null>
  /** Set once the account is known. */
  userId: string | undefined
}

function isAccountRequired({ security, account }: AuthRequirements): boolean {
  return security === 'bearer' && account === 'required'
}

export function callerOf(ctx: Context, request: FastifyRequest, requirements: AuthRequirements): Caller {
  const { security } = requirements
  const credential = security === 'none' ? null : credentialOf(ctx, request, security)
  if (credential?.isCookie && !isRead(request)) requireSameOrigin(ctx, request)
  return callerBy(
    credential,
    (sent) => authenticate(ctx, sent, request.ip),
    (session) => {
      requireScope(session, requirements.tokenScope)
      if (session.user === null && isAccountRequired(requirements)) throw userNotFound()
    },
  )
}

/** The caller by the bearer token alone. Cookies are ignored, because browsers add them by themselves. */
export function bearerCallerOf(ctx: Context, request: FastifyRequest): Caller {
  const { authorization } = request.headers
  const credential = authorization === undefined ? null : { token: bearerToken(authorization), isCookie: false }
  return callerBy(credential, (sent) => authenticate(ctx, sent, request.ip))
}

export function callerBy(
  credential: Credential | null,
  find: (credential: Credential) => Promise<Session | null>,
  authorize: (session: Session) => void = () => {},
): Caller {
  let pending: Promise<Session | null> | undefined
  async function findSession(): Promise<Session | null> {
    const session = credential && (await find(credential))
    if (session?.user) setUser(caller, session.user.id)
    if (session) authorize(session)
    return session
  }
  const caller: Caller = {
    credential,
    session() {
      pending ??= findSession()
      return pending
    },
    userId: undefined,
  }
  return caller
}

function setUser(caller: Caller, userId: string): void {
  caller.userId = userId
  addLogFields({ userId })
}

export async function viewerOf(caller: Caller): Promise<Viewer | undefined> {
  const session = await caller.session()
  return session?.user ? (session as Viewer) : undefined
}

/** If a request takes at most this long, its session is not checked again before the response, which saves a query. */
const SIMULTANEOUS_MS = 5

/**
 * Throws if the session has ended while the request was handled. Called before the response is sent. `elapsedTime` is
 * the number of milliseconds since the request was authenticated, or since an earlier moment.
 */
export async function requireStillLive(
  ctx: Context,
  { elapsedTime }: Pick<FastifyReply, 'elapsedTime'>,
  session: Session,
  requirements?: AuthRequirements,
): Promise<void> {
  if (elapsedTime <= SIMULTANEOUS_MS) return
  if (requirements && isAccountRequired(requirements)) await requireLiveViewer(ctx, session as Viewer)
  else await requireLive(ctx, session)
}

export function unverifiedCredential(ctx: Context, caller: Caller): UnverifiedCredential {
  const { credential } = caller
  return {
    token: credential && tokenKeys(ctx, credential),
    identify: () => viewerOf(caller),
    isKnownAs: (userId) => setUser(caller, userId),
  }
}

/**
 * The bearer token if one is sent, else the session cookie. The cookie is ignored for reads that a page of another
 * origin triggers.
 */
function credentialOf(ctx: Context, request: FastifyRequest, security: 'optional' | 'bearer'): Credential | null {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined) return { token: bearerToken(authorization), isCookie: false }
  const session = cookie === undefined ? undefined : cookiesOf(cookie, isSecure(ctx, request)).session
  if (session !== undefined && !(isRead(request) && isCrossSite(request)))
    return { token: new Secret(session), isCookie: true }
  if (security === 'optional') return null
  throw unauthenticated('A bearer token is required.')
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function bearerToken(authorization: string): Secret {
  const token = /^bearer +([!-~]+)$/i.exec(authorization.trim())?.[1]
  if (!token) throw unauthenticated('The Authorization header does not contain a bearer token.')
  return new Secret(token)
}
