import { type RawBuilder, sql, type Transaction } from 'kysely'
import { HOST_ISSUER } from '../../src/accounts/bearer.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { bitsOf, FIRST_ID, idAt, LAST_ID, timeOf } from './ids.ts'

/** Draws more than needed, because some pairs of popular texts and active users are drawn twice. */
const OVERDRAW = 1.15

/** A range of user numbers. */
export interface Span {
  from: number
  to: number
}

export async function createDrawTables(trx: Transaction<Schema>, seed: number): Promise<void> {
  // Ordered by popularity, which is independent of age.
  await sql`
    create temporary table seed_texts on commit drop as
    select
      row_number() over (order by ${bitsOf(sql`concat_ws(' ', host_repo_id, number, language)`, seed)}) - 1 as place,
      article_id, language, created_at
    from article_texts join articles on articles.id = article_texts.article_id
    where articles.host_repo_id between ${sql.lit(FIRST_ID)} and ${sql.lit(LAST_ID)}`.execute(trx)
  await sql`create index on seed_texts (place)`.execute(trx)
  await sql`analyze seed_texts`.execute(trx)
  await sql`
    create temporary table seed_drawn (
      user_id uuid, article_id uuid, language text, id uuid, liked_at timestamptz
    ) on commit drop`.execute(trx)
  await sql`
    create temporary table seed_added (article_id uuid, language text, liked_at timestamptz) on commit drop`.execute(
    trx,
  )
}

/**
 * Skips the foreign key check of each like if the database role may do that, which saves a sixth of the work. It is
 * safe, because the users are locked until the transaction ends.
 */
export async function withoutChecks(trx: Transaction<Schema>, work: () => Promise<void>): Promise<void> {
  const setReplicationRole = (role: 'replica' | 'origin') =>
    sql`
      select set_config('session_replication_role', ${sql.lit(role)}, true)
      where has_parameter_privilege('session_replication_role', 'set')`.execute(trx)
  await setReplicationRole('replica')
  await work()
  await setReplicationRole('origin')
}

/**
 * Draws likes of some users in order of time, most of them soon after an article was written. Returns the number of
 * pages.
 */
export async function draw(
  trx: Transaction<Schema>,
  { users: { from, to }, texts, count, now }: { users: Span; texts: number; count: number; now: Date },
): Promise<number> {
  await sql`truncate seed_drawn`.execute(trx)
  await sql`
    with tossed as (
      select
        ${sql.lit(FIRST_ID + from)} + ${skewed(to - from, (to - from) / 50)} as host_user_id,
        ${skewed(texts, 5)} as place, random() as moment, (random() * 4503599627370495)::bigint as bits
      from generate_series(1, ${sql.lit(Math.ceil(count * OVERDRAW))})
    ), drawn as (
      select host_user_id, place, min(moment) as moment, min(bits) as bits from tossed
      group by host_user_id, place limit ${sql.lit(count)}
    ), readers as (
      select id, host_user_id from users
      where issuer = ${sql.lit(HOST_ISSUER)} and host_user_id >= ${sql.lit(FIRST_ID)}
        and subject >= ${sql.lit(String(FIRST_ID + from))} and subject < ${sql.lit(String(FIRST_ID + to))}
      for key share
    )
    insert into seed_drawn
    select readers.id, article_id, language, ${idAt(sql`liked_at`, sql`bits`)}, liked_at
    from drawn
    join readers using (host_user_id)
    join seed_texts using (place)
    cross join lateral (
      select (created_at + (${timeOf(now)} - created_at) * (moment * moment))::timestamptz(3) as liked_at
    ) times
    order by liked_at`.execute(trx)
  const { rows } = await sql<{ pages: number }>`
    select (pg_relation_size('seed_drawn') / current_setting('block_size')::integer)::integer as pages`.execute(trx)
  return rows[0]?.pages ?? 0
}

/** Adds the drawn likes of some pages and returns how many were new. */
export async function addDrawn(trx: Transaction<Schema>, from: number, to: number): Promise<number> {
  const { rows } = await sql<{ added: number }>`
    with added as (
      insert into likes (user_id, article_id, language, id, liked_at)
      select user_id, article_id, language, id, liked_at from seed_drawn
      where ctid >= ${sql.lit(`(${from},0)`)} and ctid < ${sql.lit(`(${to},0)`)}
      on conflict do nothing
      returning article_id, language, liked_at
    ), noted as (
      insert into seed_added select article_id, language, liked_at from added
    )
    select count(*)::integer as added from added`.execute(trx)
  return rows[0]?.added ?? 0
}

/** A number below `count`, smaller ones more likely: half as likely at `shift` as at 0 (Zipf–Mandelbrot). */
function skewed(count: number, shift: number): RawBuilder<unknown> {
  return sql`floor(${sql.lit(shift)} * (power(${sql.lit(1 + count / shift)}::float8, random()) - 1))::bigint`
}
