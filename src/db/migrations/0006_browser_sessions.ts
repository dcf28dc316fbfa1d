import { type Kysely, sql } from 'kysely'

/**
 * A browser's session keeps the code host's token that it was opened with, sealed, and is known as a browser's. Its next
 * check is apart from a bearer's: nodes of the version before would show the code host the browser's own secret. Search
 * engines and feeds ask for the newest texts.
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
