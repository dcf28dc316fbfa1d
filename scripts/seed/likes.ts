import { type RawBuilder, sql, type Transaction } from 'kysely'
import { addToCounts, lockWindows } from '../../src/db/likes/likeCounts.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { HOST_ISSUER } from '../../src/domain/accounts/bearer.ts'
import { PULLS_PER_REPOSITORY } from './samplePulls.ts'
import { FIRST_ID, idAt, type Run, timeOf } from './sqlValues.ts'
import type { Span } from './users.ts'

/**
 * Popularity ranks are multiplied by this prime, so that articles of similar popularity are far apart in age and
 * repository. It is larger than most numbers of articles.
 */
const STEP = 1_000_000_007

interface Batch extends Run {
  users: Span
  repositories: number
  /** How many likes to try: those that exist already are skipped. */
  count: number
  /** The seed of the random numbers, from 0 to 1, different for each batch. */
  chance: number
}

/**
 * Adds likes, most of popular articles, by active users and soon after an article was written. Returns how many were
 * new. The rows and their counts become visible with the same commit; the lock keeps nodes from counting until then.
 */
export async function addLikes(trx: Transaction<Schema>, batch: Batch): Promise<number> {
  const { users, repositories, count, now, chance } = batch
  const articles = repositories * PULLS_PER_REPOSITORY
  const userCount = users.to - users.from
  await sql`select setseed(${sql.lit(chance)})`.execute(trx)
  await lockWindows(trx)
  const { rows } = await sql<{ added: number }>`
    with chosen as materialized (
      select
        ${sql.lit(FIRST_ID + users.from)} + ${skewed(userCount, userCount / 50)} as host_user_id,
        ${skewed(articles, 5)} * ${sql.lit(STEP)} % ${sql.lit(articles)} as article,
        case when random() < 0.5 then 'ja' else 'en' end as language, random() as moment,
        (random() * 4503599627370495)::bigint as bits
      from generate_series(1, ${sql.lit(count)})
    ), added as (
      insert into likes (user_id, article_id, language, id, liked_at)
      select users.id, articles.id, texts.language, ${idAt(sql`liked_at`, sql`bits`)}, liked_at
      from chosen
      join users on users.issuer = ${sql.lit(HOST_ISSUER)} and users.subject = chosen.host_user_id::text
      join articles
        on articles.host_repo_id = ${sql.lit(FIRST_ID)} + article / ${sql.lit(PULLS_PER_REPOSITORY)}
        and articles.number = article % ${sql.lit(PULLS_PER_REPOSITORY)} + 1
      cross join lateral (
        select language from article_texts where article_id = articles.id
        order by article_texts.language = chosen.language desc limit 1
      ) texts
      cross join lateral (
        select (articles.created_at + (${timeOf(now)} - articles.created_at) * (moment * moment))::timestamptz(3) as liked_at
      ) times
      order by liked_at
      on conflict do nothing
      returning article_id, language, liked_at
    ), sums as (
      select
        article_id, language, count(*) as all_time, count(*) filter (where liked_at >= monthly_from) as monthly,
        count(*) filter (where liked_at >= weekly_from) as weekly,
        count(*) filter (where liked_at >= daily_from) as daily
      from added cross join ranking_windows group by article_id, language
    ), counted as (${addToCounts(sql`sums`)})
    select count(*)::integer as added from added`.execute(trx)
  return rows[0]?.added ?? 0
}

/** A random number below `count`. Smaller ones are more likely: `shift` is half as likely as 0 (Zipf–Mandelbrot). */
function skewed(count: number, shift: number): RawBuilder<unknown> {
  return sql`floor(${sql.lit(shift)} * (power(${sql.lit(1 + count / shift)}::float8, random()) - 1))::bigint`
}
