import type { Context } from '../../context.ts'
import type { TokenKeys } from '../../db/accounts/tokens.ts'
import { Secret } from '../../lib/secret.ts'

/** What the caller sent to authenticate. */
export interface Credential {
  token: Secret
  /** Whether the token is the session cookie of a browser. */
  isCookie: boolean
}

/**
 * The hashes of a credential: one finds its session, the other revokes it. Cookies are hashed differently, so that a
 * cookie cannot be used as a bearer token.
 */
export function tokenKeys({ bearer }: Pick<Context, 'bearer'>, { token, isCookie }: Credential): TokenKeys {
  const { issuer } = bearer
  if (!isCookie) return { token_hash: token.sha256(), revocation_hash: bearer.revocationHash(token), issuer }
  const hash = new Secret(`cookie ${token.reveal()}`).sha256()
  return { token_hash: hash, revocation_hash: hash, issuer }
}
