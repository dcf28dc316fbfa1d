import type { Kysely } from 'kysely'

/** Adds the HTML of each text for the pages. Older texts have none: it is rendered when they are first shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('article_texts').addColumn('markup', 'text').execute()
}
