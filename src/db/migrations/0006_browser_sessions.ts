import type { Kysely } from 'kysely'

/**
 * A text keeps what pages show of it. A browser's session keeps the code host's token that it was opened with, sealed, and is known as a browser's. Search
 * engines and feeds ask for the newest texts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('is_cookie', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('key_id', 'text')
    .addColumn('sealed', 'bytea')
    .execute()
  await db.schema.alterTable('article_texts').addColumn('markup', 'text').execute()
  await db.schema.createIndex('article_texts_newest').on('article_texts').column('generated_at desc').execute()
}
