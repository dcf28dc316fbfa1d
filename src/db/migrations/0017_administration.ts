import { type Kysely, sql } from 'kysely'

/**
 * Reports of mistakes, hiding, and the log of the admin command. Nodes of the previous version still show hidden things,
 * and leave the new columns of jobs empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`
  await db.schema
    .createTable('mistakes')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('article_id', 'uuid', (column) => column.notNull().references('articles.id').onDelete('cascade'))
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('quote', 'text')
    .addColumn('created_at', time, (column) => column.notNull())
    .addColumn('closed_at', time)
    .execute()
  await sql`create index mistakes_of_user on mistakes (user_id, created_at)`.execute(db)
  await sql`create index mistakes_of_article on mistakes (article_id)`.execute(db)
  await sql`create index mistakes_created_at on mistakes (created_at, id)`.execute(db)

  await db.schema
    .createTable('admin_acts')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('at', time, (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('act', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .execute()
  await hide(db)

  await db.schema
    .alterTable('article_jobs')
    .addColumn('user_id', 'uuid', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('is_automatic', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('input_tokens', 'integer')
    .addColumn('output_tokens', 'integer')
    .execute()
  await sql`create index article_jobs_user on article_jobs (user_id) where user_id is not null`.execute(db)
  await sql`create index article_jobs_created_at on article_jobs (created_at)`.execute(db)
}

/** `hidden_by` is the act that hid the row. It has no foreign key: to check one, Postgres would read the whole table. */
async function hide(db: Kysely<unknown>): Promise<void> {
  for (const [table, queue] of [
    ['repositories', 'queue_repository'],
    ['pull_requests', 'queue_pull_request'],
  ] as const) {
    await db.schema.alterTable(table).addColumn('hidden_by', 'uuid').execute()
    await sql`
      create index ${sql.raw(`${table}_hidden`)} on ${sql.table(table)} (hidden_by) where hidden_by is not null`.execute(
      db,
    )
    // Lists, searches and the ranking hold no hidden articles, so that they need not skip any.
    for (const [name, run] of [
      ['review_hidden', 'review_ranking'],
      ['queue_hidden', queue],
    ] as const)
      await sql`
        create trigger ${sql.raw(name)} after update of hidden_by on ${sql.table(table)} for each row
        when (old.hidden_by is distinct from new.hidden_by) execute function ${sql.raw(run)}()`.execute(db)
  }
}
