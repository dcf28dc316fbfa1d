import type { TokenScope } from '../../db/schema/schema.ts'
import { forbidden } from '../../errors.ts'
import type { Session } from './session.ts'

/** The scope that an operation or tool needs; `none` if API tokens may not use it. */
export type NeededScope = TokenScope | 'none'

/** Throws if the session is that of an API token without the scope. Every API token may read. */
export function requireScope({ token_scopes: scopes }: Pick<Session, 'token_scopes'>, needed: NeededScope): void {
  if (scopes === null || needed === 'read') return
  if (needed === 'none')
    throw forbidden('token_not_allowed', 'API tokens may not do this. Sign in, or use the token that you sign in with.')
  if (!scopes.includes(needed)) throw forbidden('token_scope', 'This needs an API token with the scope write.')
}
