import type { Kysely } from 'kysely'

/** Counts lost claims of a job, and stores why a job failed. Nodes of the previous version set neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('article_jobs')
    .addColumn('lost_claims', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('error_reason', 'text')
    .execute()
}
