import type { Kysely } from 'kysely'

/** Counts the nodes a job was lost with, and stores why a job failed. Nodes of the former version set neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('article_jobs')
    .addColumn('lost_claims', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('error_reason', 'text')
    .execute()
}
