import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const time = sql`timestamptz(3)`
  const periods = ['all_time', 'monthly', 'weekly', 'daily']

  // No foreign key to the article: checking it locks the article's row, and all concurrent likes would share that lock.
  await db.schema
    .createTable('likes')
    .addColumn('user_id', 'uuid', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('article_id', 'uuid', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('id', 'uuid', (c) => c.notNull())
    .addColumn('liked_at', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('likes_pkey', ['user_id', 'article_id', 'language'])
    .execute()
  await db.schema.createIndex('likes_of_user').on('likes').columns(['user_id', 'liked_at', 'id']).execute()
  await db.schema.createIndex('likes_in_time').on('likes').columns(['liked_at', 'article_id', 'language']).execute()

  await db.schema
    .createTable('like_changes')
    .addColumn('article_id', 'uuid', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('like_id', 'uuid', (c) => c.notNull())
    .addColumn('change', 'smallint', (c) => c.notNull())
    .addColumn('liked_at', time, (c) => c.notNull())
    .addPrimaryKeyConstraint('like_changes_pkey', ['article_id', 'language', 'like_id', 'change'])
    .execute()
  // This table is emptied as fast as it fills. It keeps some pages for good: for an empty table Postgres would cache a
  // plan with a sequential scan, and keep that plan under heavy load.
  await sql`
    insert into like_changes
    select gen_random_uuid(), 'xx', gen_random_uuid(), 1, now() from generate_series(1, 4000)`.execute(db)
  await sql`delete from like_changes`.execute(db)
  await sql`
    alter table like_changes set (
      vacuum_truncate = false,
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
      autovacuum_vacuum_cost_delay = 0
    )`.execute(db)

  const counted = db.schema
    .createTable('like_counts')
    .addColumn('article_id', 'uuid', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull())
    .addColumn('article_created_at', time, (c) => c.notNull())
    .addColumn('ranked', 'boolean', (c) => c.notNull())
    .addPrimaryKeyConstraint('like_counts_pkey', ['article_id', 'language'])
  await periods.reduce((table, period) => table.addColumn(period, 'integer', (c) => c.notNull()), counted).execute()
  await db.schema.createIndex('like_counts_of_repository').on('like_counts').column('host_repo_id').execute()
  for (const period of periods) {
    const condition = sql<boolean>`ranked and ${sql.ref(period)} > 0`
    const order = sql`${sql.ref(period)} desc, article_created_at desc, article_id`
    const index = (name: string) => db.schema.createIndex(name).on('like_counts').where(condition)
    await index(`ranking_${period}`).expression(sql`${order}, language`).execute()
    await index(`ranking_${period}_by_language`).expression(sql`language, ${order}`).execute()
  }

  const totals = db.schema.createTable('ranking_totals').addColumn('language', 'text', (c) => c.primaryKey())
  await periods.reduce((table, period) => table.addColumn(period, 'integer', (c) => c.notNull()), totals).execute()

  await db.schema
    .createTable('ranking_windows')
    .addColumn('id', 'smallint', (c) => c.primaryKey())
    .addColumn('monthly_from', time, (c) => c.notNull())
    .addColumn('weekly_from', time, (c) => c.notNull())
    .addColumn('daily_from', time, (c) => c.notNull())
    .execute()
  await sql`insert into ranking_windows values (1, '-infinity', '-infinity', '-infinity')`.execute(db)

  await db.schema
    .createTable('ranking_reviews')
    .addColumn('id', 'bigint', (c) => c.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull())
    .execute()
  await noteUnlikes(db)
  await countRanked(db, periods)
  await noteWhatMayBeRanked(db)
}

/** A trigger, because likes are deleted in several ways: by their user, with the account, by an operator. */
async function noteUnlikes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_unlikes() returns trigger language plpgsql as $$
    begin
      insert into like_changes (article_id, language, like_id, change, liked_at)
      select article_id, language, id, -1, liked_at from gone;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_unlikes after delete on likes referencing old table as gone
    for each statement execute function note_unlikes()`.execute(db)
}

/** The number of rows of each ranking, per language and in total. */
async function countRanked(db: Kysely<unknown>, periods: string[]): Promise<void> {
  const columns = periods.join(', ')
  const ranked = (sign: '' | '-') => periods.map((period) => `${sign}(ranked and ${period} > 0)::integer as ${period}`)
  const added = `select language, ${ranked('').join(', ')} from added`
  const removed = `select language, ${ranked('-').join(', ')} from removed`
  for (const [event, rows, tables] of [
    ['insert', added, 'new table as added'],
    ['update', `${added} union all ${removed}`, 'old table as removed new table as added'],
  ]) {
    await sql`
      create function ${sql.raw(`count_ranked_on_${event}`)}() returns trigger language plpgsql as $$
      begin
        insert into ranking_totals as totals (language, ${sql.raw(columns)})
        select coalesce(language, 'all'), ${sql.raw(periods.map((period) => `sum(${period})`).join(', '))}
        from (${sql.raw(rows ?? '')}) changes
        group by grouping sets ((language), ())
        having ${sql.raw(periods.map((period) => `sum(${period}) <> 0`).join(' or '))}
        on conflict (language) do update set
          ${sql.raw(periods.map((period) => `${period} = totals.${period} + excluded.${period}`).join(', '))};
        return null;
      end $$`.execute(db)
    await sql`
      create trigger ${sql.raw(`count_ranked_on_${event}`)} after ${sql.raw(event ?? '')} on like_counts
      referencing ${sql.raw(tables ?? '')}
      for each statement execute function ${sql.raw(`count_ranked_on_${event}`)}()`.execute(db)
  }
}

/** Triggers, because visibility changes in several ways: by checks with the code host, by new texts, by operators. */
async function noteWhatMayBeRanked(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function review_ranking() returns trigger language plpgsql as $$
    begin
      insert into ranking_reviews (host_repo_id) values (new.host_repo_id);
      return null;
    end $$`.execute(db)
  await sql`
    create function review_ranking_of_text() returns trigger language plpgsql as $$
    begin
      insert into ranking_reviews (host_repo_id) select host_repo_id from articles where id = new.article_id;
      return null;
    end $$`.execute(db)
  const triggers = [
    ['review_ranking', 'update on repositories', 'old.private <> new.private or old.doubted <> new.doubted'],
    ['review_ranking', 'update on pull_requests', 'old.private <> new.private'],
    ['review_hidden', 'update of hidden_by on repositories', 'old.hidden_by is distinct from new.hidden_by'],
    ['review_hidden', 'update of hidden_by on pull_requests', 'old.hidden_by is distinct from new.hidden_by'],
  ] as const
  for (const [name, event, condition] of triggers)
    await sql`
      create trigger ${sql.raw(name)} after ${sql.raw(event)} for each row
      when (${sql.raw(condition)}) execute function review_ranking()`.execute(db)
  await sql`
    create trigger review_ranking after update on article_texts for each row
    when (old.private <> new.private)
    execute function review_ranking_of_text()`.execute(db)
}
