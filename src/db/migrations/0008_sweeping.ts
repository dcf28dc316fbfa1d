import type { Kysely } from 'kysely'

/** Indexes by age, for the sweep. */
const AGES = {
  sessions: ['expires_at', 'revoked_at', 'verified_at'],
  repository_access: ['asked_at'],
  etags: ['seen_at'],
  pull_request_lists: ['asked_at'],
  article_jobs: ['updated_at'],
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(AGES))
    for (const column of columns)
      await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
}
