import type { TokenKeys } from '../../db/accounts/tokens.ts'
import type { Viewer } from './session.ts'

/** A credential that is not verified yet: the SQL statement that serves the request can verify it as well. */
export interface UnverifiedCredential {
  /** Null if none was sent. */
  token: TokenKeys | null
  /** Authenticates the regular way, asking the issuer if necessary; undefined without an account. */
  identify(): Promise<Viewer | undefined>
  /** Called when a statement has found the account. */
  isKnownAs(userId: string): void
}

/** The same for operations that require a token and an account. */
export interface UnverifiedAccountCredential extends UnverifiedCredential {
  token: TokenKeys
  identify(): Promise<Viewer>
}
