import type { FastifyRequest } from 'fastify'
import { type Asker, hashesOf } from '../accounts/asker.ts'
import { authenticate } from '../accounts/authenticate.ts'
import { unauthenticated, userNotFound } from '../accounts/problems.ts'
import type { Session, Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { Secret } from '../secret.ts'

interface Needs {
  security: 'none' | 'optional' | 'bearer'
  account: 'required' | 'optional'
}

/** Who is asking, as far as their header tells; it is looked up when somebody wants to know, and once. */
export interface Identity {
  token: Secret | null
  session(): Promise<Session | null>
  /** Whose account it turned out to be. */
  userId: string | undefined
}

export function identityOf(ctx: Context, request: FastifyRequest, { security, account }: Needs): Identity {
  const token = security === 'none' ? null : bearerToken(request.headers.authorization, security)
  let looking: Promise<Session | null> | undefined
  async function look(): Promise<Session | null> {
    if (!token) return null
    const session = await authenticate(ctx, token, request.ip)
    identity.userId = session.user?.id
    if (session.user === null && security === 'bearer' && account === 'required') throw userNotFound()
    return session
  }
  const identity: Identity = {
    token,
    session() {
      looking ??= look()
      return looking
    },
    userId: undefined,
  }
  return identity
}

export function askerOf(ctx: Context, identity: Identity): Asker {
  const { token } = identity
  return {
    token: token && hashesOf(ctx, token),
    async identify() {
      const session = await identity.session()
      return session?.user ? (session as Viewer) : undefined
    },
    isKnownAs(userId) {
      identity.userId = userId
    },
  }
}

function bearerToken(authorization: string | undefined, security: 'optional' | 'bearer'): Secret | null {
  if (authorization === undefined && security === 'optional') return null
  if (authorization === undefined) throw unauthenticated('This needs a bearer token.')
  const token = /^bearer +([!-~]+)$/i.exec(authorization.trim())?.[1]
  if (!token) throw unauthenticated('The Authorization header does not hold a bearer token.')
  return new Secret(token)
}
