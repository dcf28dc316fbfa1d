import { type Kysely, sql } from 'kysely'

/** Reports of mistakes, and the log of the admin command, whose acts `hidden_by` and `blocked_by` name. */
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
}
