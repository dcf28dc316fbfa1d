import { type Kysely, sql } from 'kysely'
import { HOST_ISSUER } from '../../src/accounts/bearer.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { bitsOf, FIRST_ID, idAt, LAST_ID, timeOf } from './ids.ts'

const BATCH = 50_000
/** All users joined before the first article, within 300 days. */
const JOINED_BEFORE = '90 days'
const JOINED_DURING = '300 days'

export const isSeededUser = sql<boolean>`(
  users.issuer = ${sql.lit(HOST_ISSUER)} and users.host_user_id between ${sql.lit(FIRST_ID)} and ${sql.lit(LAST_ID)}
)`

/** Counts by the highest number: some users may have been deleted. */
export async function countSeededUsers(db: Kysely<Schema>): Promise<number> {
  const { last } = await db
    .selectFrom('users')
    .where(isSeededUser)
    .select(({ fn }) => fn.max<number | null>('host_user_id').as('last'))
    .executeTakeFirstOrThrow()
  return last === null ? 0 : last - FIRST_ID + 1
}

export async function addUsers(
  db: Kysely<Schema>,
  { from, to, now, seed }: { from: number; to: number; now: Date; seed: number },
  onAdded: (count: number) => void,
): Promise<void> {
  for (let first = from; first < to; first += BATCH) {
    const count = Math.min(BATCH, to - first)
    // Ids grow with the numbers, so that adjacent users are adjacent in both indexes.
    await sql`
      insert into users (id, issuer, subject, host_user_id, host_username, language, created_at, updated_at)
      select
        ${idAt(sql`joined`, bitsOf(sql`'user ' || n`, seed))}, ${sql.lit(HOST_ISSUER)}, (${sql.lit(FIRST_ID)} + n)::text,
        ${sql.lit(FIRST_ID)} + n, 'seed-user-' || n, case when n % 4 = 0 then 'en' else 'ja' end, joined, joined
      from generate_series(${sql.lit(first)}::bigint, ${sql.lit(first + count - 1)}) n
      cross join lateral (
        select (${timeOf(now)} - interval ${sql.lit(JOINED_BEFORE)}
          - interval ${sql.lit(JOINED_DURING)} * (${sql.lit(to)} - n) / ${sql.lit(to - from)})::timestamptz(3) as joined
      ) times
      on conflict do nothing`.execute(db)
    onAdded(count)
  }
  await sql`analyze users`.execute(db)
}
