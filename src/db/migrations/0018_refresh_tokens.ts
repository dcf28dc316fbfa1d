import { type Kysely, sql } from 'kysely'

/**
 * Refresh tokens of browser sessions, sealed. They have a table of their own, so that nodes of the previous version, which
 * know nothing of them, keep working: for those nodes a session ends when its access token does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('session_id', 'uuid', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('key_id', 'text')
    .addColumn('sealed', 'bytea')
    .addColumn('access_expires_at', time)
    .addColumn('refused_at', time)
    .execute()
}
