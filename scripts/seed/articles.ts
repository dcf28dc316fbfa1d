import { sql, type Transaction } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import { OUTLINE_VERSION } from '../../src/domain/articles/versions.ts'
import { PULLS_PER_REPOSITORY, WRITTEN_AT, type writeSamples } from './samplePulls.ts'
import { bitsOf, FIRST_ID, idAt, numbers, type Run, timeOf } from './sqlValues.ts'
import type { Span } from './users.ts'

const first = sql.lit(FIRST_ID)

/**
 * Adds repositories with copies of the samples. Of five articles three are in Japanese, one in English and one in both;
 * all were written in the last 90 days.
 */
export async function addRepositories(
  trx: Transaction<Schema>,
  span: Span,
  { samples, now, seed }: Run & { samples: Awaited<ReturnType<typeof writeSamples>> },
): Promise<void> {
  await sql`
    insert into repositories (host_repo_id, owner, name, private, verified_at)
    select ${first} + n, 'seed-owner-' || n / 3, 'seed-repo-' || n, false, ${timeOf(now)} from ${numbers(span)}
    on conflict do nothing`.execute(trx)
  await sql`
    insert into pull_requests
    select copies.*
    from jsonb_populate_recordset(null::pull_requests, ${JSON.stringify(samples.pulls)}::jsonb) originals
    cross join ${numbers(span)}
    cross join lateral jsonb_populate_record(originals, jsonb_build_object('host_repo_id', ${first} + n)) copies
    on conflict do nothing`.execute(trx)
  await sql`
    insert into articles (id, host_repo_id, number, created_at, updated_at)
    select ${idAt(sql`written_at`, sql`bits`)}, ${first} + n, number, written_at, written_at
    from ${numbers(span)} cross join generate_series(1, ${sql.lit(PULLS_PER_REPOSITORY)}) number
    cross join lateral (select ${bitsOf(sql`'article ' || n || ' ' || number`, seed)} as bits) random
    cross join lateral (
      select (${timeOf(now)} - interval '90 days' * (bits % 1000000) / 1000000)::timestamptz(3) as written_at
    ) times
    on conflict do nothing`.execute(trx)
  const dated = (column: string) => sql`replace(${sql.ref(column)}, ${sql.lit(WRITTEN_AT)}, written_at)`
  await sql`
    with texts as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(samples.texts)}::jsonb) as texts (
        number integer, language text, head_sha text, title text, lead text, content text, markup text, feed_html text,
        excerpts text
      )
    )
    insert into article_texts (
      article_id, language, version, private, head_sha, kind, prompt_version, title, lead, content, markup, feed_html,
      excerpts, generated_at
    )
    select
      articles.id, language, 1, false, head_sha, 'outline', ${sql.lit(OUTLINE_VERSION)}, title, lead,
      ${dated('content')}, ${dated('markup')}, ${dated('feed_html')}, excerpts, created_at
    from ${numbers(span)} join articles on articles.host_repo_id = ${first} + n join texts using (number)
    cross join lateral (
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as written_at
    ) times
    where case (n + number) % 5 when 0 then true when 1 then language = 'en' else language = 'ja' end
    on conflict do nothing`.execute(trx)
}
