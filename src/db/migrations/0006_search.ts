import { type Kysely, sql } from 'kysely'

const time = sql`timestamptz(3)`

/**
 * Tables for lists and searches of articles: one row for each text. They are filled from `search_queue`, into which
 * triggers put every article that changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('article_cards')
    .addColumn('article_id', 'uuid', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('merged_at', time)
    .addColumn('is_public', 'boolean', (c) => c.notNull())
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('like_count', 'integer', (c) => c.notNull())
    .addColumn('compatibility', 'text')
    .addColumn('affected', 'text')
    .addColumn('change_types', sql`text[]`, (c) => c.notNull())
    .addColumn('reading_minutes', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('article_cards_pkey', ['article_id', 'language'])
    .addForeignKeyConstraint(
      'article_cards_text',
      ['article_id', 'language'],
      'article_texts',
      ['article_id', 'language'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await createIndexes(db)
  await createSearch(db)

  await db.schema
    .createTable('search_queue')
    .addColumn('id', 'bigint', (c) => c.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('article_id', 'uuid', (c) => c.notNull().references('articles.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('search_queue_article').on('search_queue').column('article_id').execute()
  await queueChanges(db)
  await countLikes(db)
}

/**
 * Indexes for each sort order, and one for the articles of a repository. All contain the language, so that Postgres can
 * filter by it.
 */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const end = 'created_at desc, article_id desc, language'
  const indexes = {
    newest: `(${end}) where is_public`,
    newest_in_language: `(language, created_at desc, article_id desc) where is_public`,
    newest_of_repository: `(host_repo_id, ${end})`,
    merged: `(merged_at desc, article_id desc, language) where is_public and merged_at is not null`,
    likes: `(like_count desc, ${end}) where is_public`,
  }
  for (const [name, columns] of Object.entries(indexes))
    await sql`create index ${sql.raw(`article_cards_${name}`)} on article_cards ${sql.raw(columns)}`.execute(db)
}

/**
 * A search looks through one period of time after the other, the newest first. `keys` holds the repository of a text
 * and its periods (as negative numbers), so that the index narrows a search by both: see `db/search/periods.ts`.
 */
async function createSearch(db: Kysely<unknown>): Promise<void> {
  const seconds = sql`floor(extract(epoch from created_at - timestamptz '1970-01-01T00:00:00Z'))::bigint`
  const periods = [12, 15, 18, 21, 24].map(
    (exponent) => sql`-(${sql.lit(exponent * 2 ** 32)}::bigint + (${seconds} >> ${sql.lit(exponent)}))`,
  )
  const keys = sql<number[]>`(array[host_repo_id, ${sql.join(periods)}])`
  await db.schema
    .createTable('article_search')
    .addColumn('article_id', 'uuid', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('host_repo_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('head', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('shown', 'text', (c) => c.notNull())
    .addColumn('lexemes', sql`tsvector`, (c) => c.notNull())
    .addColumn('keys', sql`bigint[]`, (c) => c.notNull().generatedAlwaysAs(keys).stored())
    .addPrimaryKeyConstraint('article_search_pkey', ['article_id', 'language'])
    .addForeignKeyConstraint(
      'article_search_card',
      ['article_id', 'language'],
      'article_cards',
      ['article_id', 'language'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  // Stores the texts out of line, so that many rows fit a page: finding candidates does not read the texts.
  await sql`alter table article_search set (toast_tuple_target = 256)`.execute(db)
  await sql`alter table article_search alter column title set storage main`.execute(db)
  // With detailed statistics, the planner can tell common words from rare ones.
  await sql`alter table article_search alter column lexemes set statistics 400`.execute(db)
  await sql`create index article_search_lexemes on article_search using gin (lexemes, keys)`.execute(db)
}

async function queueChanges(db: Kysely<unknown>): Promise<void> {
  const triggers = {
    queue_text: {
      on: 'insert or update of content, private on article_texts',
      articles: 'select new.article_id',
    },
    queue_pull_request: {
      on: `update on pull_requests`,
      when: `(old.title, old.author_login, old.labels, old.merged_at, old.private)
        is distinct from (new.title, new.author_login, new.labels, new.merged_at, new.private)`,
      articles: 'select id from articles where host_repo_id = new.host_repo_id and number = new.number',
    },
    queue_repository: {
      on: 'update on repositories',
      when: '(old.owner, old.name) is distinct from (new.owner, new.name)',
      articles: 'select id from articles where host_repo_id = new.host_repo_id',
    },
  }
  for (const [name, { on, articles, ...rest }] of Object.entries(triggers)) {
    await sql`
      create function ${sql.raw(name)}() returns trigger language plpgsql as $$
      begin
        insert into search_queue (article_id) ${sql.raw(articles)};
        return null;
      end $$`.execute(db)
    const when = 'when' in rest ? `when (${rest.when})` : ''
    await sql`
      create trigger ${sql.raw(name)} after ${sql.raw(on)} for each row ${sql.raw(when)}
      execute function ${sql.raw(name)}()`.execute(db)
  }
  // Lists and searches hold no hidden articles, so that they need not skip any.
  for (const [table, queue] of [
    ['repositories', 'queue_repository'],
    ['pull_requests', 'queue_pull_request'],
  ] as const)
    await sql`
      create trigger queue_hidden after update of hidden_by on ${sql.table(table)} for each row
      when (old.hidden_by is distinct from new.hidden_by) execute function ${sql.raw(queue)}()`.execute(db)
}

/** The likes of an article on its cards: those of all its texts. */
async function countLikes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function count_likes_on_cards() returns trigger language plpgsql as $$
    begin
      update article_cards set like_count = counted.likes
      from (
        select article_id, sum(all_time)::integer as likes from like_counts
        where article_id in (select article_id from changed) group by article_id
      ) counted
      where article_cards.article_id = counted.article_id and article_cards.like_count <> counted.likes;
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update'])
    await sql`
      create trigger ${sql.raw(`count_likes_on_cards_on_${event}`)} after ${sql.raw(event)} on like_counts
      referencing new table as changed for each statement execute function count_likes_on_cards()`.execute(db)
}
