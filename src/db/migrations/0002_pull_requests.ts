import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`

  await db.schema.alterTable('sessions').addColumn('rest_until', time).execute()
  await db.schema.alterTable('host_tokens').addColumn('rest_until', time).execute()
  await db.schema
    .alterTable('repositories')
    .addColumn('proof_asked_at', time)
    .addColumn('doubted', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await db.schema
    .createIndex('repositories_name')
    .on('repositories')
    .expression(sql`lower(owner), lower(name)`)
    .execute()

  await db.schema
    .createTable('pull_requests')
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull().references('repositories.host_repo_id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('private', 'boolean', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('host_updated_at', time, (c) => c.notNull())
    .addColumn('document', 'bytea', (c) => c.notNull())
    .addPrimaryKeyConstraint('pull_requests_pkey', ['host_repo_id', 'number'])
    .execute()
  // The application compresses it already.
  await sql`alter table pull_requests alter column document set storage external`.execute(db)

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

  await db.schema
    .createTable('etags')
    .addColumn('session_id', 'uuid', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('resource', 'text', (c) => c.notNull())
    .addColumn('etag', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('seen_at', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('etags_pkey', ['session_id', 'resource'])
    .execute()

  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'uuid', (c) => c.notNull())
    .addColumn('until', time, (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('articles')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .addUniqueConstraint('articles_one_per_pull_request', ['host_repo_id', 'number'])
    .addForeignKeyConstraint('articles_pull_request', ['host_repo_id', 'number'], 'pull_requests', [
      'host_repo_id',
      'number',
    ])
    .execute()
}
