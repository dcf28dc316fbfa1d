import { type Kysely, sql } from 'kysely'

/** Null until a user marks a favorite as seen: nodes of the previous version do not set it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('favorites').addColumn('seen_at', sql`timestamptz(3)`).execute()
}
