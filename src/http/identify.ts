import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '../accounts/authenticate.ts'
import { type Credential, hashesOf } from '../accounts/credential.ts'
import { requireLive } from '../accounts/liveSession.ts'
import { unauthenticated, userNotFound } from '../accounts/problems.ts'
import type { Session, Viewer } from '../accounts/session.ts'
import type { UnverifiedCredential } from '../accounts/unverifiedCredential.ts'
import type { Context } from '../context.ts'
import { Secret } from '../lib/secret.ts'
import { sessionCookie } from './cookies.ts'
import { isCrossSite, requireSameOrigin } from './sameOrigin.ts'

interface Needs {
  security: 'none' | 'optional' | 'bearer'
  account: 'required' | 'optional'
}

/** Who is asking, as far as their header tells; it is looked up when somebody wants to know, and once. */
export interface Identity {
  credential: Credential | null
  session(): Promise<Session | null>
  /** Whose account it turned out to be. */
  userId: string | undefined
}

export function identityOf(ctx: Context, request: FastifyRequest, { security, account }: Needs): Identity {
  const credential = security === 'none' ? null : credentialOf(request, security)
  if (credential?.isCookie && !isReading(request)) requireSameOrigin(ctx, request)
  let looking: Promise<Session | null> | undefined
  async function look(): Promise<Session | null> {
    if (!credential) return null
    const session = await authenticate(ctx, credential, request.ip)
    identity.userId = session.user?.id
    if (session.user === null && security === 'bearer' && account === 'required') throw userNotFound()
    return session
  }
  const identity: Identity = {
    credential,
    session() {
      looking ??= look()
      return looking
    },
    userId: undefined,
  }
  return identity
}

/** A logout within this time counts as simultaneous, which saves a query for every request that is answered at once. */
const SIMULTANEOUS_MS = 5

/** Before anything is shown: a request may have waited, and its session ended meanwhile. */
export async function requireLiveStill(ctx: Context, reply: FastifyReply, session: Session): Promise<void> {
  if (reply.elapsedTime > SIMULTANEOUS_MS) await requireLive(ctx, session)
}

export function unverifiedCredential(ctx: Context, identity: Identity): UnverifiedCredential {
  const { credential } = identity
  return {
    token: credential && hashesOf(ctx, credential),
    async identify() {
      const session = await identity.session()
      return session?.user ? (session as Viewer) : undefined
    },
    isKnownAs(userId) {
      identity.userId = userId
    },
  }
}

/**
 * The header, where one is sent, else the cookie of somebody who signed in with a browser; but not where another site
 * only leads the browser here to read.
 */
function credentialOf(request: FastifyRequest, security: 'optional' | 'bearer'): Credential | null {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined) return { token: bearerToken(authorization), isCookie: false }
  const session = cookie === undefined ? undefined : sessionCookie(cookie)
  if (session !== undefined && !(isReading(request) && isCrossSite(request)))
    return { token: new Secret(session), isCookie: true }
  if (security === 'optional') return null
  throw unauthenticated('This needs a bearer token.')
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function bearerToken(authorization: string): Secret {
  const token = /^bearer +([!-~]+)$/i.exec(authorization.trim())?.[1]
  if (!token) throw unauthenticated('The Authorization header does not hold a bearer token.')
  return new Secret(token)
}
