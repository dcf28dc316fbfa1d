import { type Kysely, sql } from 'kysely'

/** Accounts, their sessions and tokens. Like those of all tables, the columns are explained in `db/schema`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`

  await db.schema
    .createTable('users')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('host_user_id', 'bigint', (c) => c.notNull())
    .addColumn('host_username', 'text', (c) => c.notNull())
    .addColumn('host_display_name', 'text')
    .addColumn('email', 'text')
    .addColumn('avatar_url', 'text')
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .addColumn('blocked_by', 'uuid')
    .addColumn('membership_checked_at', time)
    .addColumn('membership_lost', 'boolean', (c) => c.notNull().defaultTo(false))
    .addUniqueConstraint('users_identity', ['issuer', 'subject'])
    .execute()
  await sql`create index users_blocked on users (host_user_id) where blocked_by is not null`.execute(db)

  // A browser session is checked by `recheck_after` instead of `check_after`: its own token is unknown to the code host.
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('token_hash', 'bytea', (c) => c.notNull().unique())
    .addColumn('revocation_hash', 'bytea', (c) => c.notNull())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('verified_at', time, (c) => c.notNull())
    .addColumn('check_after', time)
    .addColumn('expires_at', time)
    .addColumn('revoked_at', time)
    .addColumn('paused_until', time)
    .addColumn('is_cookie', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('key_id', 'text')
    .addColumn('sealed', 'bytea')
    .addColumn('opened_by', 'bytea')
    .addColumn('recheck_after', time)
    .addColumn('token_name', 'text')
    .addColumn('token_scopes', sql`text[]`)
    .execute()
  await db.schema.createIndex('sessions_identity').on('sessions').columns(['issuer', 'subject']).execute()
  await db.schema.createIndex('sessions_revocation').on('sessions').column('revocation_hash').execute()
  await db.schema
    .createIndex('sessions_opened_by')
    .on('sessions')
    .column('opened_by')
    .where('opened_by', 'is not', null)
    .execute()
  // For the sweep.
  for (const column of ['expires_at', 'revoked_at', 'verified_at'])
    await db.schema.createIndex(`sessions_by_${column}`).on('sessions').column(column).execute()

  await db.schema
    .createTable('revoked_tokens')
    .addColumn('revocation_hash', 'bytea', (c) => c.primaryKey())
    .execute()

  await db.schema
    .createTable('refresh_tokens')
    .addColumn('session_id', 'uuid', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('key_id', 'text')
    .addColumn('sealed', 'bytea')
    .addColumn('access_expires_at', time)
    .addColumn('refused_at', time)
    .execute()

  await db.schema
    .createTable('host_tokens')
    .addColumn('user_id', 'uuid', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('sealed', 'bytea', (c) => c.notNull())
    .addColumn('saved_at', time, (c) => c.notNull())
    .addColumn('refused_at', time)
    .addColumn('paused_until', time)
    .execute()

  await db.schema
    .createTable('feed_addresses')
    .addColumn('user_id', 'uuid', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('key_hash', 'bytea', (c) => c.notNull().unique())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('sealed', 'bytea', (c) => c.notNull())
    .execute()
}
