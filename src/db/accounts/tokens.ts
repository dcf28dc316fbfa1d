import { type Kysely, type QueryCreator, sql } from 'kysely'
import { isPending } from '../engine/clock.ts'
import { prepared } from '../engine/prepared/prepared.ts'
import type { Schema, UserRow } from '../schema/schema.ts'
import { accountState } from './accountState.ts'
import { isExpired, MAX_PAUSE_MINUTES, RECHECK_MINUTES } from './sessions.ts'
import { ACCOUNT_COLUMNS } from './users.ts'

/** What identifies a token in the database. */
export interface TokenKeys {
  token_hash: Buffer
  revocation_hash: Buffer
  /** The issuer that this service accepts: sessions of other issuers do not authenticate. */
  issuer: string
}

type TokenState = 'ended' | 'unknown' | 'other_issuer' | 'expired' | 'check_due' | 'live'

export type KnownSession = NonNullable<Awaited<ReturnType<typeof findToken>>['session']>

const checkAfter = sql<Date | null>`coalesce(sessions.recheck_after, sessions.check_after)`

/**
 * The state of the token in a row of `selectToken`. Statements that authenticate the caller themselves use the same
 * rules.
 */
export function tokenState(now: Date) {
  return sql<TokenState>`case
    when revoked_tokens.revocation_hash is not null then 'ended'
    when sessions.id is null then 'unknown'
    when sessions.issuer <> asked.issuer then 'other_issuer'
    when ${isExpired(now)} then 'expired'
    when ${isPending(sql.ref('sessions.paused_until'), now, MAX_PAUSE_MINUTES)} then 'live'
    when not ${isPending(checkAfter, now, RECHECK_MINUTES)} then 'check_due'
    else 'live'
  end`
}

/** Always one row: the token with its revocation, session and account; each of these is null if there is none. */
export function selectToken(db: QueryCreator<Schema>, { token_hash, revocation_hash, issuer }: TokenKeys) {
  const asked = sql<TokenKeys>`(
    select ${token_hash}::bytea as token_hash, ${revocation_hash}::bytea as revocation_hash, ${issuer}::text as issuer
  )`
  return db
    .selectFrom(asked.as('asked'))
    .leftJoin('revoked_tokens', 'revoked_tokens.revocation_hash', 'asked.revocation_hash')
    .leftJoin('sessions', 'sessions.token_hash', 'asked.token_hash')
    .leftJoin('users', (join) =>
      join.onRef('users.issuer', '=', 'sessions.issuer').onRef('users.subject', '=', 'sessions.subject'),
    )
}

const findTokens = prepared((db, keys: TokenKeys, { now }: { now: Date }) =>
  selectToken(db, keys).select([
    tokenState(now).as('state'),
    accountState(now).as('account_state'),
    'sessions.id',
    'sessions.issuer',
    'sessions.subject',
    'sessions.verified_at',
    'sessions.paused_until',
    'sessions.key_id',
    'sessions.sealed',
    'sessions.token_scopes',
    'users.id as user_id',
    ...ACCOUNT_COLUMNS,
  ]),
)

/** The state of a token, and its session and account if it has them. */
export async function findToken(db: Kysely<Schema>, keys: TokenKeys, now: Date) {
  const [row] = await findTokens(db, keys, { now })
  if (!row) throw new Error('The token query returned no row.')
  const {
    state,
    account_state,
    id,
    issuer,
    subject,
    verified_at,
    user_id,
    paused_until,
    key_id,
    sealed,
    token_scopes,
    ...profile
  } = row
  const isKnown = id !== null && issuer !== null && subject !== null && verified_at !== null
  const user = user_id === null ? null : ({ id: user_id, issuer, subject, ...profile } as UserRow)
  const rest = { paused_until, key_id, sealed, token_scopes, account_state, user }
  return { state, session: isKnown ? { id, issuer, subject, verified_at, ...rest } : null }
}
