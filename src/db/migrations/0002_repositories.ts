import { type Kysely, sql } from 'kysely'

/** Repositories, who may see them, and users' favorites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`

  // `hidden_by` has no foreign key to the act: to check one, Postgres would read the whole table.
  await db.schema
    .createTable('repositories')
    .addColumn('host_repo_id', 'bigint', (c) => c.primaryKey())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('private', 'boolean', (c) => c.notNull())
    .addColumn('verified_at', time, (c) => c.notNull())
    .addColumn('public_checked_at', time)
    .addColumn('doubted', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('description', 'text')
    .addColumn('newest_article_at', time)
    .addColumn('hidden_by', 'uuid')
    .addColumn('forbidden_at', time)
    .execute()
  await sql`create index repositories_name on repositories (lower(name), lower(owner))`.execute(db)
  await sql`
    create index repositories_newest_article on repositories (newest_article_at desc, host_repo_id desc)
    where newest_article_at is not null`.execute(db)
  await sql`create index repositories_hidden on repositories (hidden_by) where hidden_by is not null`.execute(db)

  await db.schema
    .createTable('repository_access')
    .addColumn('session_id', 'uuid', (c) => c.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull().references('repositories.host_repo_id').onDelete('cascade'))
    .addColumn('allowed', 'boolean', (c) => c.notNull())
    .addColumn('asked_at', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('repository_access_pkey', ['session_id', 'host_repo_id'])
    .execute()
  await db.schema.createIndex('repository_access_by_asked_at').on('repository_access').column('asked_at').execute()

  await db.schema
    .createTable('favorites')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull().references('repositories.host_repo_id'))
    .addColumn('registered_at', time, (c) => c.notNull())
    .addColumn('seen_at', time)
    .addColumn('automatic_articles', 'text', (c) => c.notNull().defaultTo('notable'))
    .addColumn('includes_bots', 'boolean', (c) => c.notNull().defaultTo(false))
    .addUniqueConstraint('favorites_once', ['user_id', 'host_repo_id'])
    .execute()
  await db.schema.createIndex('favorites_host_repo_id').on('favorites').column('host_repo_id').execute()
}
