import type { Kysely } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** The queued and running jobs of all nodes, by status. */
export async function countJobs(db: Kysely<Schema>, now: Date) {
  const rows = await db
    .selectFrom('article_jobs')
    .where('status', 'in', ['queued', 'running'])
    .groupBy('status')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .execute()
  return rows.map(({ status, count, oldest }) => ({
    status,
    count,
    oldestSeconds: (now.getTime() - oldest.getTime()) / 1000,
  }))
}
