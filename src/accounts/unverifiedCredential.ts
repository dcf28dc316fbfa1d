import type { Context } from '../context.ts'
import type { TokenHashes } from '../db/accounts/sessions.ts'
import type { CredentialKeys } from '../db/accounts/viewers.ts'
import type { Viewer } from './session.ts'

/** Somebody whose token was not looked up yet: the statement that does what they ask for can do that too. */
export interface UnverifiedCredential {
  /** Null where none was sent. */
  token: TokenHashes | null
  /** The ordinary way, which asks the issuer where it must; undefined for somebody without an account. */
  identify(): Promise<Viewer | undefined>
  /** A statement has found whose account it is. */
  isKnownAs(userId: string): void
}

/** The same where a token and an account are needed. */
export interface UnverifiedAccountCredential extends UnverifiedCredential {
  token: TokenHashes
  identify(): Promise<Viewer>
}

/** What a statement finds a session by, if nobody but the database need be asked about it. */
export function credentialKeys(ctx: Context, token: TokenHashes): CredentialKeys {
  const { token_hash, revocation_hash } = token
  return { token_hash, revocation_hash, issuer: ctx.bearer.issuer, is_checked: false }
}

/** The same once they were identified. */
export function verifiedCredentialKeys(ctx: Context, token: TokenHashes): CredentialKeys {
  return { ...credentialKeys(ctx, token), is_checked: true }
}
