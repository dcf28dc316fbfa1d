import { type Kysely, sql } from 'kysely'

/**
 * A browser session keeps the host token that opened it, sealed, and is marked with `is_cookie`. It has a check time of
 * its own: nodes of the previous version would otherwise send the browser's own secret to the code host. The index is
 * for sitemaps and feeds, which list the newest texts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('is_cookie', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('key_id', 'text')
    .addColumn('sealed', 'bytea')
    .addColumn('opened_by', 'bytea')
    .addColumn('recheck_after', sql`timestamptz(3)`)
    .execute()
  await db.schema
    .createIndex('sessions_opened_by')
    .on('sessions')
    .column('opened_by')
    .where('opened_by', 'is not', null)
    .execute()
  await db.schema.createIndex('article_texts_newest').on('article_texts').column('generated_at desc').execute()
}
