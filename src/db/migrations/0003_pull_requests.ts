import { type Kysely, sql } from 'kysely'

/** Pull requests as read from the code host, and what saves reading them again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`

  await db.schema
    .createTable('pull_requests')
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull().references('repositories.host_repo_id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('private', 'boolean', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('host_updated_at', time, (c) => c.notNull())
    .addColumn('document', 'bytea', (c) => c.notNull())
    .addColumn('head_sha', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('author_login', 'text', (c) => c.notNull())
    .addColumn('host_url', 'text', (c) => c.notNull())
    .addColumn('host_created_at', time, (c) => c.notNull())
    .addColumn('head_asked_at', time)
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('merged_at', 'timestamptz')
    .addColumn('draft', 'boolean', (c) => c.notNull())
    .addColumn('labels', 'jsonb', (c) => c.notNull())
    .addColumn('author_is_bot', 'boolean', (c) => c.notNull())
    .addColumn('additions', 'integer', (c) => c.notNull())
    .addColumn('deletions', 'integer', (c) => c.notNull())
    .addColumn('changed_files', 'integer', (c) => c.notNull())
    .addColumn('hidden_by', 'uuid')
    .addPrimaryKeyConstraint('pull_requests_pkey', ['host_repo_id', 'number'])
    .execute()
  // The application compresses it already.
  await sql`alter table pull_requests alter column document set storage external`.execute(db)
  await sql`create index pull_requests_hidden on pull_requests (hidden_by) where hidden_by is not null`.execute(db)

  await db.schema
    .createTable('pull_request_lists')
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull().references('repositories.host_repo_id'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('page', 'integer', (c) => c.notNull())
    .addColumn('private', 'boolean', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('asked_at', time, (c) => c.notNull())
    .addColumn('has_more', 'boolean', (c) => c.notNull())
    .addColumn('document', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('pull_request_lists_pkey', ['host_repo_id', 'state', 'page'])
    .execute()
  await db.schema.createIndex('pull_request_lists_by_asked_at').on('pull_request_lists').column('asked_at').execute()

  await db.schema
    .createTable('etags')
    .addColumn('session_id', 'uuid', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('resource', 'text', (c) => c.notNull())
    .addColumn('etag', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('seen_at', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('etags_pkey', ['session_id', 'resource'])
    .execute()
  await db.schema.createIndex('etags_by_seen_at').on('etags').column('seen_at').execute()

  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'uuid', (c) => c.notNull())
    .addColumn('until', time, (c) => c.notNull())
    .execute()
}
