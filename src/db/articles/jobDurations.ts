import { type Kysely, sql } from 'kysely'
import type { ArticleJobRow } from '../schema/articleTables.ts'
import type { Schema } from '../schema/schema.ts'

/** Reads only this many of the newest jobs. Of these, only successful jobs of the given kind count. */
const MAX_JOBS = 100

/**
 * The median time that recent jobs of a kind took, in seconds from request to article; null if fewer than `minJobs` of
 * them succeeded.
 */
export async function findMedianSeconds(
  db: Kysely<Schema>,
  kind: ArticleJobRow['kind'],
  minJobs: number,
): Promise<number | null> {
  const last = db
    .selectFrom('article_jobs')
    .select(['status', 'kind', sql<number>`extract(epoch from updated_at - created_at)::float`.as('seconds')])
    .orderBy('id', 'desc')
    .limit(MAX_JOBS)
  const row = await db
    .selectFrom(last.as('last'))
    .where('status', '=', 'succeeded')
    .where('kind', '=', kind)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<number | null>`percentile_cont(0.5) within group (order by seconds)`.as('median'),
    ])
    .executeTakeFirstOrThrow()
  return row.count < minJobs ? null : row.median
}
