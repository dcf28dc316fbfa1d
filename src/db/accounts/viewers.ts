import { type Kysely, type QueryCreator, sql } from 'kysely'
import { isPending } from '../engine/clock.ts'
import type { Schema } from '../schema/schema.ts'
import type { Freshness } from '../visibility.ts'
import { MAX_REST_MINUTES, RECHECK_MINUTES, type TokenHashes } from './sessions.ts'

/** Lets a statement authenticate the caller itself, which saves a query before it. */
export interface CredentialKeys extends TokenHashes {
  issuer: string
  /** Whether a due check with the issuer was already made. */
  is_checked: boolean
}

export interface ViewerRow {
  session_id: string
  user_id: string
}

export type WithViewer = Schema & { viewer: ViewerRow }

const checkAfter = sql<Date | null>`coalesce(sessions.recheck_after, sessions.check_after)`

/**
 * Adds the `viewer`: session and account of a token that the database alone can authenticate. It has no row in all
 * other cases (unknown, revoked or expired token, check with the issuer due), for which the caller authenticates
 * separately and gets the right error.
 */
export function withViewer(
  db: Kysely<Schema>,
  keys: CredentialKeys,
  { now }: Pick<Freshness, 'now'>,
): QueryCreator<WithViewer> {
  return db.with('viewer', (inner) =>
    inner
      .selectFrom('sessions')
      .innerJoin('users', (join) =>
        join.onRef('users.issuer', '=', 'sessions.issuer').onRef('users.subject', '=', 'sessions.subject'),
      )
      .where('sessions.token_hash', '=', keys.token_hash)
      .where('sessions.issuer', '=', keys.issuer)
      .where(sql<boolean>`coalesce(sessions.expires_at > ${now}::timestamptz, true)`)
      .where(
        sql<boolean>`(
          ${keys.is_checked}::boolean
          or coalesce(${isPending(checkAfter, now, RECHECK_MINUTES)}, true)
          or coalesce(${isPending(sql.ref('sessions.rest_until'), now, MAX_REST_MINUTES)}, false)
        )`,
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('revoked_tokens')
              .where('revoked_tokens.revocation_hash', '=', keys.revocation_hash)
              .select(sql.lit(1).as('one')),
          ),
        ),
      )
      .select(['sessions.id as session_id', 'users.id as user_id']),
  ) as QueryCreator<WithViewer>
}
