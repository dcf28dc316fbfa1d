import type { Context } from '../context.ts'
import type { BearerKeys } from '../db/accounts/callers.ts'
import type { TokenHashes } from '../db/accounts/sessions.ts'
import type { Viewer } from './session.ts'

/** Somebody whose token was not looked up yet: the statement that does what they ask for can do that too. */
export interface Asker {
  /** Null where none was sent. */
  token: TokenHashes | null
  /** The ordinary way, which asks the issuer where it must; undefined for somebody without an account. */
  identify(): Promise<Viewer | undefined>
  /** A statement has found whose account it is. */
  isKnownAs(userId: string): void
}

/** The same where a token and an account are needed. */
export interface AccountAsker extends Asker {
  token: TokenHashes
  identify(): Promise<Viewer>
}

/** What a statement finds a session by, if nobody but the database need be asked about it. */
export function keysOf(ctx: Context, token: TokenHashes): BearerKeys {
  const { token_hash, revocation_hash } = token
  return { token_hash, revocation_hash, issuer: ctx.bearer.issuer, is_checked: false }
}

/** The same once they were identified. */
export function identifiedKeysOf(ctx: Context, token: TokenHashes): BearerKeys {
  return { ...keysOf(ctx, token), is_checked: true }
}
