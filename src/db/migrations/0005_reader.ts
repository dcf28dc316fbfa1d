import type { Kysely } from 'kysely'

/** What the pages for people need: beside each text, the lines of the diff that it cites. Older texts have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('article_texts').addColumn('excerpts', 'text').execute()
}
