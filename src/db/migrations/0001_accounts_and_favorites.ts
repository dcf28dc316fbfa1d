import { type Kysely, sql } from 'kysely'

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
    .addUniqueConstraint('users_identity', ['issuer', 'subject'])
    .execute()

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
    .execute()
  await db.schema.createIndex('sessions_identity').on('sessions').columns(['issuer', 'subject']).execute()
  await db.schema.createIndex('sessions_revocation').on('sessions').column('revocation_hash').execute()

  await db.schema
    .createTable('revoked_tokens')
    .addColumn('revocation_hash', 'bytea', (c) => c.primaryKey())
    .execute()

  await db.schema
    .createTable('host_tokens')
    .addColumn('user_id', 'uuid', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('sealed', 'bytea', (c) => c.notNull())
    .addColumn('saved_at', time, (c) => c.notNull())
    .addColumn('refused_at', time)
    .execute()

  await db.schema
    .createTable('repositories')
    .addColumn('host_repo_id', 'bigint', (c) => c.primaryKey())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('private', 'boolean', (c) => c.notNull())
    .addColumn('proven_at', time, (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('repository_access')
    .addColumn('session_id', 'uuid', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull().references('repositories.host_repo_id').onDelete('cascade'))
    .addColumn('allowed', 'boolean', (c) => c.notNull())
    .addColumn('asked_at', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('repository_access_pkey', ['session_id', 'host_repo_id'])
    .execute()

  await db.schema
    .createTable('favorites')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull().references('repositories.host_repo_id'))
    .addColumn('registered_at', time, (c) => c.notNull())
    .addUniqueConstraint('favorites_once', ['user_id', 'host_repo_id'])
    .execute()
}
