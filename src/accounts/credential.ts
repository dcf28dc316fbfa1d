import type { Context } from '../context.ts'
import type { TokenHashes } from '../db/accounts/sessions.ts'
import { Secret } from '../lib/secret.ts'

/** What somebody shows to tell who they are. */
export interface Credential {
  token: Secret
  /** A session of our own, which a browser keeps. */
  isCookie: boolean
}

/** What a session is found by, and what ends it. A cookie's token is good for nothing as a bearer. */
export function hashesOf(ctx: Pick<Context, 'bearer'>, { token, isCookie }: Credential): TokenHashes {
  if (!isCookie) return { token_hash: token.sha256(), revocation_hash: ctx.bearer.revocationHash(token) }
  const hash = new Secret(`cookie ${token.reveal()}`).sha256()
  return { token_hash: hash, revocation_hash: hash }
}
