import { type Kysely, sql } from 'kysely'

/** When the code host last forbade a public repository to the service's own token. Older nodes leave it empty. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('repositories').addColumn('forbidden_at', sql`timestamptz(3)`).execute()
}
