import type { Kysely } from 'kysely'

/**
 * The lead of a text, null for texts of the former form; its HTML for Atom entries; and facts about a pull request for
 * lists and pages. Nodes of the previous version set none of these columns.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('article_texts').addColumn('lead', 'text').addColumn('feed_html', 'text').execute()
  await db.schema
    .alterTable('pull_requests')
    .addColumn('state', 'text')
    .addColumn('merged_at', 'timestamptz')
    .addColumn('draft', 'boolean')
    .addColumn('labels', 'jsonb')
    .addColumn('author_is_bot', 'boolean')
    .addColumn('additions', 'integer')
    .addColumn('deletions', 'integer')
    .addColumn('changed_files', 'integer')
    .execute()
}
