import type { TokenScope, UserRow } from '../../db/schema/schema.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Identity } from './bearer.ts'

/** A verified identity, with its account if it has one. */
export interface Session {
  id: string
  issuer: string
  subject: string
  /**
   * The token that its issuer can verify: the bearer token, or the code-host token that a browser session was opened
   * with; null for an API token.
   */
  bearer: Secret | null
  /** Whether the client authenticated with the session cookie of a browser. */
  isCookie: boolean
  /** The hash that is stored when the session is revoked. */
  revocation_hash: Buffer
  /** The scopes of an API token; null for all other sessions, which may do everything. */
  token_scopes: TokenScope[] | null
  user: UserRow | null
  /** The deadline for calls to the code host, by `performance.now()`. */
  until: number
  /** When the code host's rate limit for the token ends. */
  paused_until: Date | null
  /** The identity, if the issuer verified it during this request. */
  identity: Identity | null
}

/** A session with an account. */
export interface Viewer extends Session {
  user: UserRow
}
