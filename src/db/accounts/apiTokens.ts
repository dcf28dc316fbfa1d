import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema, SessionsTable, TokenScope } from '../schema/schema.ts'
import { isExpired, type Owner } from './sessions.ts'

export interface NewApiToken {
  id: string
  token_hash: Buffer
  revocation_hash: Buffer
  issuer: string
  subject: string
  token_name: string
  token_scopes: TokenScope[]
  created_at: Date
  expires_at: Date
}

export type ApiTokenRow = Pick<NewApiToken, 'id' | 'token_name' | 'token_scopes' | 'created_at' | 'expires_at'>

/** An API token is not verified again: only this service can end it. */
export async function insertApiToken(trx: Transaction<Schema>, token: NewApiToken): Promise<void> {
  const unused: Pick<Selectable<SessionsTable>, 'check_after' | 'revoked_at' | 'paused_until'> = {
    check_after: null,
    revoked_at: null,
    paused_until: null,
  }
  await trx
    .insertInto('sessions')
    .values({ ...token, ...unused, verified_at: token.created_at })
    .execute()
}

/** The number of API tokens of an account that have not ended. */
export async function countLiveApiTokens(db: Kysely<Schema>, owner: Owner, now: Date): Promise<number> {
  const { count } = await selectApiTokens(db, owner)
    .where(sql<boolean>`${isExpired(now)} is not true`)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface ApiTokenPosition {
  at: Date
  id: string
}

/** The API tokens of an account that were not revoked, newest first. */
export async function findApiTokens(
  db: Kysely<Schema>,
  owner: Owner,
  { limit, after }: { limit: number; after: ApiTokenPosition | undefined },
): Promise<ApiTokenRow[]> {
  return selectApiTokens(db, owner)
    .where(after ? sql<boolean>`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql<boolean>`true`)
    .select((row) => [
      'id',
      row.ref('token_name').$notNull().as('token_name'),
      row.ref('token_scopes').$notNull().as('token_scopes'),
      'created_at',
      row.ref('expires_at').$notNull().as('expires_at'),
    ])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

function selectApiTokens(db: Kysely<Schema>, { issuer, subject }: Owner) {
  return db
    .selectFrom('sessions')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('token_scopes', 'is not', null)
    .where('revoked_at', 'is', null)
}
