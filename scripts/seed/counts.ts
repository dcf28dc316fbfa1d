import { type Kysely, sql, type Transaction } from 'kysely'
import { addToCounts, lockWindows, slideWindows } from '../../src/db/likes/likeCounts.ts'
import { isBehind, windowsAt } from '../../src/db/likes/windows.ts'
import type { Schema } from '../../src/db/schema/schema.ts'

/** Texts counted per statement, which must stay within the statement timeout. */
const SLICE = 25_000

/** The number of likes without a full scan: counted likes plus pending changes. */
export async function countLikes(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ likes: number }>`
    select (
      coalesce((select sum(all_time) from like_counts), 0) + coalesce((select sum(change) from like_changes), 0)
    )::bigint as likes`.execute(db)
  return rows[0]?.likes ?? 0
}

/** Moves the windows like the service does, before there are many likes: later it would take long. */
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
 * Counts the likes in `seed_added`. Rows and counts become visible with the same commit; until then the lock keeps
 * others from counting and the windows from moving. So counts plus pending changes always equal the likes.
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
