import { type Kysely, sql } from 'kysely'

/** Articles, their texts, and the jobs that write them within quotas and budgets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createArticles(db)
  await createJobs(db)
  await createBudgets(db)
}

const time = sql`timestamptz(3)`

async function createArticles(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('excerpts', 'text')
    .addColumn('markup', 'text')
    .addColumn('lead', 'text')
    .addColumn('feed_html', 'text')
    .addPrimaryKeyConstraint('article_texts_pkey', ['article_id', 'language'])
    .execute()
  // For sitemaps and feeds.
  await db.schema.createIndex('article_texts_newest').on('article_texts').column('generated_at desc').execute()

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
  // For the sweep, which finds texts with too many older versions without a full scan.
  await db.schema
    .createIndex('article_versions_beyond_ten')
    .on('article_versions')
    .columns(['article_id', 'language', 'version'])
    .where(sql<boolean>`version > 10`)
    .execute()
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('lost_claims', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('error_reason', 'text')
    .addColumn('error_cause', 'text')
    .addColumn('user_id', 'uuid', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('request_id', 'text')
    .addColumn('is_automatic', 'boolean', (c) => c.notNull().defaultTo(false))
    .addForeignKeyConstraint('article_jobs_pull_request', ['host_repo_id', 'number'], 'pull_requests', [
      'host_repo_id',
      'number',
    ])
    .addCheckConstraint(
      'article_jobs_outcome',
      sql`(status = 'succeeded') = (article_id is not null) and (status = 'failed') = (error_code is not null)`,
    )
    .execute()
  await db.schema
    .createIndex('article_jobs_one_per_text')
    .unique()
    .on('article_jobs')
    .columns(['host_repo_id', 'number', 'head_sha', 'language', 'kind', 'prompt_version'])
    .where(sql<boolean>`status in ('queued', 'running')`)
    .execute()
  // Postgres looks jobs up by session and by user whenever one of these is deleted.
  await db.schema.createIndex('article_jobs_session').on('article_jobs').column('session_id').execute()
  await sql`create index article_jobs_user on article_jobs (user_id) where user_id is not null`.execute(db)
  for (const [name, column] of [
    ['article_jobs_by_updated_at', 'updated_at'],
    ['article_jobs_created_at', 'created_at'],
  ] as const)
    await db.schema.createIndex(name).on('article_jobs').column(column).execute()
}

async function createBudgets(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('warned_percent', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('model_spending')
    .addColumn('job_id', 'uuid', (c) => c.notNull())
    .addColumn('day', 'date', (c) => c.notNull())
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'uuid', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('is_automatic', 'boolean', (c) => c.notNull())
    .addColumn('is_written', 'boolean', (c) => c.notNull())
    .addColumn('input_tokens', 'integer', (c) => c.notNull())
    .addColumn('output_tokens', 'integer', (c) => c.notNull())
    .addColumn('cached_tokens', 'integer', (c) => c.notNull())
    .addColumn('cache_write_tokens', 'integer', (c) => c.notNull())
    .addColumn('reasoning_tokens', 'integer', (c) => c.notNull())
    .addColumn('cost', 'double precision')
    .execute()
  await db.schema.createIndex('model_spending_day').on('model_spending').column('day').execute()
  await sql`create index model_spending_user on model_spending (user_id) where user_id is not null`.execute(db)

  await db.schema
    .createTable('breakers')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('open_until', time)
    .addColumn('trial', 'uuid')
    .execute()
}
