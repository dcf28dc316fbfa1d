import type { Kysely } from 'kysely'

/** For the web pages: the diff lines that each text cites (older texts have none), and the addresses of users' own feeds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('article_texts').addColumn('excerpts', 'text').execute()
  await db.schema
    .createTable('feed_addresses')
    .addColumn('user_id', 'uuid', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('key_hash', 'bytea', (c) => c.notNull().unique())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('sealed', 'bytea', (c) => c.notNull())
    .execute()
}
