import type { Context } from '../context.ts'
import type { TokenHashes } from '../db/accounts/sessions.ts'
import type { CredentialKeys } from '../db/accounts/viewers.ts'
import type { Viewer } from './session.ts'

/** A credential that is not verified yet: the SQL statement that serves the request can verify it as well. */
export interface UnverifiedCredential {
  /** Null if none was sent. */
  token: TokenHashes | null
  /** Authenticates the regular way, asking the issuer if necessary; undefined without an account. */
  identify(): Promise<Viewer | undefined>
  /** Called when a statement has found the account. */
  isKnownAs(userId: string): void
}

/** The same for operations that require a token and an account. */
export interface UnverifiedAccountCredential extends UnverifiedCredential {
  token: TokenHashes
  identify(): Promise<Viewer>
}

/** Lets a statement find the session, unless its issuer must be asked first. */
export function credentialKeys(ctx: Context, token: TokenHashes): CredentialKeys {
  const { token_hash, revocation_hash } = token
  return { token_hash, revocation_hash, issuer: ctx.bearer.issuer, is_checked: false }
}

/** The same after authentication. */
export function verifiedCredentialKeys(ctx: Context, token: TokenHashes): CredentialKeys {
  return { ...credentialKeys(ctx, token), is_checked: true }
}
