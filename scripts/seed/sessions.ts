import { type Kysely, sql } from 'kysely'
import { HOST_ISSUER } from '../../src/accounts/bearer.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { bitsOf, FIRST_ID, idAt, timeOf } from './ids.ts'

/**
 * Adds sessions of the first users that work without a code host, because they are never verified again. Their tokens
 * are guessable: for measurements only.
 */
export async function addSessions(
  db: Kysely<Schema>,
  { sessions, now, seed }: { sessions: number; now: Date; seed: number },
): Promise<string[]> {
  if (sessions === 0) return []
  const hash = sql`sha256(('seeded-' || n)::bytea)`
  await sql`
    insert into sessions
      (id, token_hash, revocation_hash, issuer, subject, created_at, verified_at)
    select
      ${idAt(timeOf(now), bitsOf(sql`'session ' || n`, seed))}, ${hash}, ${hash}, ${sql.lit(HOST_ISSUER)},
      (${sql.lit(FIRST_ID)} + n)::text, ${timeOf(now)}, ${timeOf(now)}
    from generate_series(0::bigint, ${sql.lit(sessions - 1)}) n
    on conflict do nothing`.execute(db)
  await sql`analyze sessions`.execute(db)
  return Array.from({ length: sessions }, (_, n) => `seeded-${n}`)
}
