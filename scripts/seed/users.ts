import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import { HOST_ISSUER } from '../../src/domain/accounts/bearer.ts'
import { bitsOf, FIRST_ID, idAt, LAST_ID, numbers, type Run, timeOf } from './sqlValues.ts'

/** A range of numbers of users or repositories. */
export interface Span {
  from: number
  to: number
}

const FAVORITES_PER_USER = 5
/** Coprime to most numbers of repositories, so that users with adjacent numbers have different favorites. */
const STEP = 7919

const issuer = sql.lit(HOST_ISSUER)
const first = sql.lit(FIRST_ID)

export const isSeededUser = sql<boolean>`(
  users.issuer = ${issuer} and users.host_user_id between ${first} and ${sql.lit(LAST_ID)}
)`

/**
 * Adds users who joined within 300 days before the first article. Their ids grow with their numbers, so that adjacent
 * users share index pages.
 */
export async function addUsers(trx: Transaction<Schema>, span: Span, { now, seed }: Run): Promise<void> {
  await sql`
    insert into users (id, issuer, subject, host_user_id, host_username, language, created_at, updated_at)
    select
      ${idAt(sql`joined`, bitsOf(sql`'user ' || n`, seed))}, ${issuer}, (${first} + n)::text, ${first} + n,
      'seed-user-' || n, case when n % 4 = 0 then 'en' else 'ja' end, joined, joined
    from ${numbers(span)}
    cross join lateral (
      select (${timeOf(now)} - interval '90 days'
        - interval '300 days' * (${sql.lit(span.to)} - n) / ${sql.lit(span.to)})::timestamptz(3) as joined
    ) times
    on conflict do nothing`.execute(trx)
}

/** Adds favorites without automatic articles, because no code host has these repositories. */
export async function addFavorites(
  trx: Transaction<Schema>,
  span: Span,
  { repositories, now, seed }: Run & { repositories: number },
): Promise<void> {
  await sql`
    insert into favorites (id, user_id, host_repo_id, registered_at, automatic_articles)
    select
      ${idAt(timeOf(now), bitsOf(sql`'favorite ' || n || ' ' || i`, seed))}, users.id, repositories.host_repo_id,
      ${timeOf(now)}, 'off'
    from ${numbers(span)} cross join generate_series(1, ${sql.lit(FAVORITES_PER_USER)}) i
    join users on users.issuer = ${issuer} and users.subject = (${first} + n)::text
    join repositories on repositories.host_repo_id = ${first} + (n + i) * ${sql.lit(STEP)} % ${sql.lit(repositories)}
    on conflict do nothing`.execute(trx)
}

/**
 * Adds sessions of the first users. The sessions work without a code host, because they are never verified again. Their
 * tokens are guessable: for measurements only.
 */
export async function addSessions(db: Kysely<Schema>, count: number, { now, seed }: Run): Promise<string[]> {
  const hash = sql`sha256(('seeded-' || n)::bytea)`
  await sql`
    insert into sessions (id, token_hash, revocation_hash, issuer, subject, created_at, verified_at)
    select
      ${idAt(timeOf(now), bitsOf(sql`'session ' || n`, seed))}, ${hash}, ${hash}, ${issuer}, (${first} + n)::text,
      ${timeOf(now)}, ${timeOf(now)}
    from ${numbers({ from: 0, to: count })}
    on conflict do nothing`.execute(db)
  return Array.from({ length: count }, (_, n) => `seeded-${n}`)
}
