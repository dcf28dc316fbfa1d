import { type Kysely, sql, type Transaction } from 'kysely'
import { addToCounts, lockWindows, slideWindows } from '../../src/db/likes/likeCounts.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { isBehind, windowsAt } from '../../src/likes/counting.ts'

/** As many texts as are counted by one statement, which has only seconds. */
const SLICE = 25_000

/** How many likes there are, without looking at each: what was counted and what was not yet. */
export async function countLikes(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ likes: number }>`
    select (
      coalesce((select sum(all_time) from like_counts), 0) + coalesce((select sum(change) from like_changes), 0)
    )::bigint as likes`.execute(db)
  return rows[0]?.likes ?? 0
}

/** Moves the windows as the service does, before there is much to move: afterwards it would take long. */
export async function slideTo(db: Kysely<Schema>, now: Date): Promise<void> {
  const wanted = windowsAt(now)
  while (
    await db.transaction().execute(async (trx) => {
      const windows = await lockWindows(trx)
      return isBehind(windows, wanted) && (await slideWindows(trx, windows, wanted))
    })
  );
}

/**
 * Counts the likes that `seed_added` holds. Their rows and their counts are seen from the same moment on, that of the
 * commit, and nobody else counts until then, nor do the windows move. So the counts stay what they were: the likes there
 * are but for changes that wait, of which this takes none.
 */
export async function countAdded(trx: Transaction<Schema>): Promise<void> {
  await lockWindows(trx)
  await sql`
    create temporary table seed_sums on commit drop as
    select
      row_number() over () as place, article_id, language,
      count(*)::integer as all_time,
      (count(*) filter (where liked_at >= monthly_from))::integer as monthly,
      (count(*) filter (where liked_at >= weekly_from))::integer as weekly,
      (count(*) filter (where liked_at >= daily_from))::integer as daily
    from seed_added cross join ranking_windows
    group by article_id, language`.execute(trx)
  await sql`analyze seed_sums`.execute(trx)
  const { rows } = await sql<{ texts: number }>`select count(*)::integer as texts from seed_sums`.execute(trx)
  for (let from = 0; from < (rows[0]?.texts ?? 0); from += SLICE) await countSlice(trx, from)
}

async function countSlice(trx: Transaction<Schema>, from: number): Promise<void> {
  const slice = sql`(select * from seed_sums where place > ${sql.lit(from)} and place <= ${sql.lit(from + SLICE)})`
  await addToCounts(slice).execute(trx)
}
