import type { Kysely } from 'kysely'

/** What cached input, cache writes and reasoning of an article's model calls came to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('article_jobs')
    .addColumn('cached_tokens', 'integer')
    .addColumn('cache_write_tokens', 'integer')
    .addColumn('reasoning_tokens', 'integer')
    .execute()
}
