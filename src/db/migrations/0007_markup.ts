import type { Kysely } from 'kysely'

/** Beside each text, what pages show of it. Older texts have none: it is made when they are shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('article_texts').addColumn('markup', 'text').execute()
}
