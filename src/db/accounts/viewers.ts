import { type Kysely, type QueryCreator, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { Freshness } from '../visibility.ts'
import { accountState } from './accountState.ts'
import { selectToken, type TokenKeys, tokenState } from './tokens.ts'

/** The values with which a statement authenticates the caller itself, so that it needs no separate query before it. */
export interface CredentialKeys extends TokenKeys {
  /**
   * Whether this request has already checked the token with its issuer. If so, the statement accepts a token whose
   * check is due.
   */
  is_checked: boolean
}

export interface ViewerRow {
  session_id: string
  user_id: string
}

export type WithViewer = Schema & { viewer: ViewerRow }

/**
 * Adds the table `viewer` to a statement: session and account of a token that the database alone can authenticate. The
 * table is empty in all other cases (an unknown, revoked or expired token, one whose check with the issuer is due, or an
 * account that may not act); the calling code then authenticates separately, which gives the right error.
 */
export function withViewer(
  db: Kysely<Schema>,
  keys: CredentialKeys,
  { now }: Pick<Freshness, 'now'>,
): QueryCreator<WithViewer> {
  return db.with('viewer', (inner) =>
    selectToken(inner, keys)
      .where('users.id', 'is not', null)
      .where(sql<boolean>`${accountState(now)} is null`)
      .where(sql<boolean>`${tokenState(now)} in ('live', case when ${keys.is_checked}::boolean then 'check_due' end)`)
      .select(['sessions.id as session_id', 'users.id as user_id']),
  ) as QueryCreator<WithViewer>
}
