import { type Kysely, sql } from 'kysely'

/** Merged pull requests of watched repositories, and the state of the poller that finds them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`

  await db.schema
    .createTable('watched_repositories')
    .addColumn('host_repo_id', 'bigint', (column) =>
      column.primaryKey().references('repositories.host_repo_id').onDelete('cascade'),
    )
    .addColumn('started_at', time, (column) => column.notNull())
    .addColumn('merged_since', time)
    .addColumn('covered_until', time)
    .addColumn('etag', 'text')
    .addColumn('walk_page', 'integer')
    .addColumn('walk_until', time)
    .addColumn('walk_etag', 'text')
    .addColumn('walk_is_second', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('checked_at', time)
    .addColumn('hinted_at', time)
    .addColumn('next_check_at', time, (column) => column.notNull())
    .addColumn('active_at', time, (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`create index watched_repositories_next on watched_repositories (next_check_at)`.execute(db)

  await db.schema
    .createTable('merges')
    .addColumn('host_repo_id', 'bigint', (column) =>
      column.notNull().references('repositories.host_repo_id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('author_is_bot', 'boolean', (column) => column.notNull())
    .addColumn('merged_at', time, (column) => column.notNull())
    .addColumn('found_at', time, (column) => column.notNull())
    .addColumn('is_earlier', 'boolean', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('score', 'integer')
    .addColumn('factors', 'text')
    .addColumn('decided_at', time)
    .addColumn('started_on', 'text')
    .addColumn('job_id', 'uuid')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('error_code', 'text')
    .addColumn('error_message', 'text')
    .addColumn('error_reason', 'text')
    .addColumn('next_try_at', time)
    .addPrimaryKeyConstraint('merges_pkey', ['host_repo_id', 'number'])
    .execute()
  await sql`create index merges_newest on merges (host_repo_id, merged_at desc, number desc)`.execute(db)
  await sql`create index merges_found_at on merges (found_at)`.execute(db)
  await sql`create index merges_status on merges (host_repo_id, status, merged_at desc, number desc)`.execute(db)
  // Indexes for the entries that the poller still has to process, in the order in which it processes them.
  await sql`create index merges_undecided on merges (merged_at, number) where status = 'found'`.execute(db)
  await sql`create index merges_unwritten on merges (score desc, merged_at, number)
    where status in ('queued', 'waiting')`.execute(db)
  await sql`create index merges_begun on merges (started_on)
    where status in ('queued', 'waiting', 'writing', 'failed') and started_on is not null`.execute(db)
  await sql`create index merges_queued on merges (host_repo_id) where status = 'queued'`.execute(db)
  await sql`create index merges_waiting on merges (decided_at) where status = 'waiting'`.execute(db)
  await sql`create index merges_writing on merges (host_repo_id) where status = 'writing'`.execute(db)
  await sql`create index merges_failed on merges (next_try_at) where status = 'failed'`.execute(db)

  await db.schema
    .createTable('pollers')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('paused_until', time)
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('synced_at', time)
    .addColumn('hour', time)
    .addColumn('calls', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`insert into pollers (name) values ('merges')`.execute(db)
}
