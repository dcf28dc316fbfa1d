import { type Kysely, sql } from 'kysely'

/** Those that have more older versions than are kept are found without a look at all the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('article_versions_beyond_ten')
    .on('article_versions')
    .columns(['article_id', 'language', 'version'])
    .where(sql<boolean>`version > 10`)
    .execute()
}
