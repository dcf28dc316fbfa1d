import { type Kysely, sql } from 'kysely'

/** An index for the sweep, which finds texts with too many older versions without a full scan. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('article_versions_beyond_ten')
    .on('article_versions')
    .columns(['article_id', 'language', 'version'])
    .where(sql<boolean>`version > 10`)
    .execute()
}
