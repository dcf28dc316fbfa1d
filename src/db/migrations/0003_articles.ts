import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`

  await db.schema
    .alterTable('pull_requests')
    .addColumn('described', 'text')
    .addColumn('head_sha', 'text')
    .addColumn('title', 'text')
    .addColumn('author_login', 'text')
    .addColumn('host_url', 'text')
    .addColumn('host_created_at', time)
    .addColumn('head_asked_at', time)
    .execute()

  await db.schema
    .createTable('article_texts')
    .addColumn('article_id', 'uuid', (c) => c.notNull().references('articles.id').onDelete('cascade'))
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('private', 'boolean', (c) => c.notNull())
    .addColumn('head_sha', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('prompt_version', 'text', (c) => c.notNull())
    .addColumn('translated_from', 'text')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('generated_at', time, (c) => c.notNull())
    .addColumn('forced_at', time)
    .addPrimaryKeyConstraint('article_texts_pkey', ['article_id', 'language'])
    .execute()

  await db.schema
    .createTable('article_versions')
    .addColumn('article_id', 'uuid', (c) => c.notNull().references('articles.id').onDelete('cascade'))
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('private', 'boolean', (c) => c.notNull())
    .addColumn('head_sha', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('prompt_version', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('generated_at', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('article_versions_pkey', ['article_id', 'language', 'version'])
    .execute()

  await db.schema
    .createTable('article_jobs')
    .addColumn('id', 'uuid', (c) => c.primaryKey())
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('head_sha', 'text', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('prompt_version', 'text', (c) => c.notNull())
    .addColumn('forced', 'boolean', (c) => c.notNull())
    .addColumn('session_id', 'uuid', (c) => c.references('sessions.id').onDelete('set null'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('stage', 'text', (c) => c.notNull())
    .addColumn('progress', 'real', (c) => c.notNull())
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('error_code', 'text')
    .addColumn('error_message', 'text')
    .addColumn('retry_at', time)
    .addColumn('article_id', 'uuid')
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .addForeignKeyConstraint('article_jobs_pull_request', ['host_repo_id', 'number'], 'pull_requests', [
      'host_repo_id',
      'number',
    ])
    .execute()
  await db.schema
    .createIndex('article_jobs_one_per_text')
    .unique()
    .on('article_jobs')
    .columns(['host_repo_id', 'number', 'head_sha', 'language', 'kind', 'prompt_version'])
    .where(sql<boolean>`status in ('queued', 'running')`)
    .execute()

  // Postgres looks jobs up by session whenever a session is deleted.
  await db.schema.createIndex('article_jobs_session').on('article_jobs').column('session_id').execute()

  await db.schema
    .createTable('article_quotas')
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('day', 'date', (c) => c.notNull())
    .addColumn('started', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('article_quotas_pkey', ['user_id', 'day'])
    .execute()

  await db.schema
    .createTable('model_usage')
    .addColumn('day', 'date', (c) => c.primaryKey())
    .addColumn('tokens', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('breakers')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('open_until', time)
    .addColumn('trial', 'uuid')
    .execute()
}
