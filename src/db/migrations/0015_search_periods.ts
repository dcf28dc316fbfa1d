import { type Kysely, sql } from 'kysely'

/**
 * Searches look for the newest matches in one period of time after the other. `keys` holds the periods of a text, negative,
 * and its repository, so that the index narrows a search by them: see `db/search/periods.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const seconds = sql`floor(extract(epoch from created_at - timestamptz '1970-01-01T00:00:00Z'))::bigint`
  const periods = [12, 15, 18, 21, 24].map(
    (exponent) => sql`-(${sql.lit(exponent * 2 ** 32)}::bigint + (${seconds} >> ${sql.lit(exponent)}))`,
  )
  await sql`drop index article_search_newest`.execute(db)
  await sql`drop index article_search_lexemes`.execute(db)
  await sql`
    alter table article_search add column keys bigint[] not null
    generated always as (array[host_repo_id, ${sql.join(periods)}]) stored`.execute(db)
  await sql`create index article_search_lexemes on article_search using gin (lexemes, keys)`.execute(db)
  // Entries of texts now include their quotes.
  await sql`insert into search_queue (article_id) select id from articles order by created_at`.execute(db)
}
