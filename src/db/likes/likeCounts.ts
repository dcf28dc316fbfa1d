import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { isSeenByEverybody } from '../visibility.ts'
import { isBehind, PERIODS, type Windows } from './windows.ts'

/** Batch sizes. Each batch takes far less time than the statement timeout allows. */
const MAX_CHANGES = 20_000
const MAX_LEAVING = 20_000
const MAX_REVIEWS = 20

/** Locks the row of `ranking_windows`, so that only one node counts likes at a time. */
export async function lockWindows(trx: Transaction<Schema>) {
  return trx
    .selectFrom('ranking_windows')
    .select(['monthly_from', 'weekly_from', 'daily_from'])
    .select(sql<boolean>`exists (select from ranking_reviews)`.as('has_reviews'))
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Adds the sums of likes per text to `like_counts`. */
export function addToCounts(sums: RawBuilder<unknown>) {
  return sql`
    insert into like_counts as counts
      (article_id, language, host_repo_id, article_created_at, ranked, all_time, monthly, weekly, daily)
    select
      articles.id, sums.language, articles.host_repo_id, articles.created_at,
      ${isSeenByEverybody}, all_time, monthly, weekly, daily
    from ${sums} sums
    join articles on articles.id = sums.article_id
    join repositories on repositories.host_repo_id = articles.host_repo_id
    join pull_requests
      on pull_requests.host_repo_id = articles.host_repo_id and pull_requests.number = articles.number
    join article_texts on article_texts.article_id = articles.id and article_texts.language = sums.language
    on conflict (article_id, language) do update set
      ranked = excluded.ranked,
      all_time = counts.all_time + excluded.all_time,
      monthly = counts.monthly + excluded.monthly,
      weekly = counts.weekly + excluded.weekly,
      daily = counts.daily + excluded.daily`
}

/** Moves a batch of like changes into the counts. Returns whether more changes may be left. */
export async function countChanges(trx: Transaction<Schema>): Promise<boolean> {
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from like_changes
      where ctid = any (array (select ctid from like_changes limit ${sql.lit(MAX_CHANGES)}))
      returning article_id, language, change, liked_at
    ), summed as (
      select
        article_id, language, sum(change) as all_time,
        coalesce(sum(change) filter (where liked_at >= monthly_from), 0) as monthly,
        coalesce(sum(change) filter (where liked_at >= weekly_from), 0) as weekly,
        coalesce(sum(change) filter (where liked_at >= daily_from), 0) as daily
      from taken cross join ranking_windows
      group by article_id, language
    ), counted as (${addToCounts(sql`summed`)})
    select count(*)::integer as taken from taken`.execute(trx)
  return rows[0]?.taken === MAX_CHANGES
}

/**
 * Moves the starts of the periods forward and subtracts the likes that have left them. Only counted likes may be
 * subtracted: the existing likes, corrected by the changes not counted yet. Moves the starts as far as one batch
 * allows; returns whether they have to move further.
 */
export async function slideWindows(trx: Transaction<Schema>, from: Windows, wanted: Windows): Promise<boolean> {
  const to = await reachable(trx, from, wanted)
  const leaving = PERIODS.map((period) => {
    const columns = sql.join(PERIODS.map((column) => sql.lit(column === period ? 1 : 0)))
    const edge = `${period}_from` as const
    const within = sql`liked_at >= ${from[edge]}::timestamptz and liked_at < ${to[edge]}::timestamptz`
    return sql`
      select article_id, language, 1 as sign, ${columns} from likes where ${within}
      union all
      select article_id, language, -change, ${columns} from like_changes where ${within}`
  })
  await sql`
    with leaving (article_id, language, sign, monthly, weekly, daily) as (${sql.join(leaving, sql` union all `)}),
    summed as (
      select
        article_id, language, sum(sign * monthly) as monthly, sum(sign * weekly) as weekly, sum(sign * daily) as daily
      from leaving group by article_id, language
    ), moved as (
      update like_counts set
        monthly = like_counts.monthly - summed.monthly,
        weekly = like_counts.weekly - summed.weekly,
        daily = like_counts.daily - summed.daily
      from summed
      where like_counts.article_id = summed.article_id and like_counts.language = summed.language
    )
    update ranking_windows set
      monthly_from = ${to.monthly_from}, weekly_from = ${to.weekly_from}, daily_from = ${to.daily_from}`.execute(trx)
  return isBehind(to, wanted)
}

/** How far each window can move with at most one batch of likes leaving it. */
async function reachable(trx: Transaction<Schema>, from: Windows, wanted: Windows): Promise<Windows> {
  const edge = (period: keyof Windows) => sql<Date>`greatest(${from[period]}::timestamptz, least(
    ${wanted[period]}::timestamptz,
    (select liked_at from likes where liked_at > ${from[period]}::timestamptz
      order by liked_at offset ${sql.lit(MAX_LEAVING)} limit 1)
  ))`
  const { rows } = await sql<Windows>`
    select
      ${edge('monthly_from')} as monthly_from,
      ${edge('weekly_from')} as weekly_from,
      ${edge('daily_from')} as daily_from`.execute(trx)
  return rows[0] ?? from
}

/** Updates `ranked` for some repositories whose visibility has changed. Returns whether more of them may be left. */
export async function reviewRanked(trx: Transaction<Schema>): Promise<boolean> {
  const { rows } = await sql<{ reviewed: number }>`
    with reviewed as (
      delete from ranking_reviews
      where id in (select id from ranking_reviews order by id limit ${sql.lit(MAX_REVIEWS)})
      returning host_repo_id
    ), changed as (
      update like_counts set ranked = not like_counts.ranked
      from articles
      join repositories on repositories.host_repo_id = articles.host_repo_id
      join pull_requests
        on pull_requests.host_repo_id = articles.host_repo_id and pull_requests.number = articles.number
      join article_texts on article_texts.article_id = articles.id
      where like_counts.host_repo_id in (select host_repo_id from reviewed)
        and articles.id = like_counts.article_id
        and article_texts.language = like_counts.language
        and like_counts.ranked <> ${isSeenByEverybody}
    )
    select count(*)::integer as reviewed from reviewed`.execute(trx)
  return rows[0]?.reviewed === MAX_REVIEWS
}
