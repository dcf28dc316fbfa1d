import { type Kysely, sql, type Transaction } from 'kysely'
import pLimit from 'p-limit'
import { OUTLINE_VERSION } from '../../src/articles/versions.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { markupName } from '../../src/writer/markup/markup.ts'
import { bitsOf, FIRST_ID, idAt, LAST_ID, timeOf } from './ids.ts'
import { PULLS_PER_REPOSITORY, type Written, writePulls } from './writing.ts'

const BATCH = 100
const DAY = 24 * 60 * 60_000
/** The maximum age of articles; their pull requests are older. */
const OLDEST_DAYS = 90

export interface Growth {
  from: number
  to: number
  now: Date
  seed: number
  connections: number
}

export async function countSeededRepositories(db: Kysely<Schema>): Promise<number> {
  const { last } = await db
    .selectFrom('repositories')
    .where('host_repo_id', '>=', FIRST_ID)
    .where('host_repo_id', '<=', LAST_ID)
    .select(({ fn }) => fn.max<number | null>('host_repo_id').as('last'))
    .executeTakeFirstOrThrow()
  return last === null ? 0 : last - FIRST_ID + 1
}

/** Adds repositories with pull requests and articles, each with a text in one or both languages. */
export async function addArticles(db: Kysely<Schema>, growth: Growth, onAdded: (count: number) => void): Promise<void> {
  if (growth.from >= growth.to) return
  const written = await writePulls(new Date(growth.now.getTime() - (OLDEST_DAYS + 10) * DAY))
  const limit = pLimit(growth.connections)
  const spans = Array.from({ length: Math.ceil((growth.to - growth.from) / BATCH) }, (_, i) => {
    const from = growth.from + i * BATCH
    return { ...growth, from, to: Math.min(from + BATCH, growth.to) }
  })
  await limit.map(spans, async (span) => {
    await db.transaction().execute((trx) => addRepositories(trx, span, written))
    onAdded((span.to - span.from) * PULLS_PER_REPOSITORY)
  })
  for (const table of ['repositories', 'pull_requests', 'articles', 'article_texts'])
    await sql`analyze ${sql.table(table)}`.execute(db)
}

async function addRepositories(trx: Transaction<Schema>, { from, to, now, seed }: Growth, written: Written[]) {
  const repositories = sql`(
    select n, ${sql.lit(FIRST_ID)} + n as host_repo_id
    from generate_series(${sql.lit(from)}::bigint, ${sql.lit(to - 1)}) n
  ) repositories`
  await sql`set local synchronous_commit = off`.execute(trx)
  await sql`
    insert into repositories (host_repo_id, owner, name, private, proven_at)
    select host_repo_id, 'seed-owner-' || n / 3, 'seed-repo-' || n, false, ${timeOf(now)} from ${repositories}
    on conflict do nothing`.execute(trx)
  await sql`
    with pulls as materialized (
      select *, decode(packed, 'hex') as document from json_to_recordset(${JSON.stringify(written)}::json) as pulls (
        number integer, version text, "updatedAt" timestamptz, packed text, described text, head_sha text, title text,
        author_login text, host_url text, host_created_at timestamptz, state text, merged_at timestamptz, draft boolean,
        labels text, author_is_bot boolean, additions integer, deletions integer, changed_files integer
      )
    )
    insert into pull_requests (
      host_repo_id, number, private, version, host_updated_at, document, described, head_sha, title, author_login,
      host_url, host_created_at, state, merged_at, draft, labels, author_is_bot, additions, deletions, changed_files
    )
    select
      host_repo_id, number, false, version, "updatedAt", document, described, head_sha, title, author_login,
      host_url, host_created_at, state, merged_at, draft, labels::jsonb, author_is_bot, additions, deletions,
      changed_files
    from ${repositories} cross join pulls
    on conflict do nothing`.execute(trx)
  await sql`
    insert into articles (id, host_repo_id, number, created_at, updated_at)
    select ${idAt(sql`written_at`, sql`bits`)}, host_repo_id, number, written_at, written_at
    from ${repositories}
    cross join generate_series(1, ${sql.lit(PULLS_PER_REPOSITORY)}) number
    cross join lateral (select ${bitsOf(sql`'article ' || n || ' ' || number`, seed)} as bits) random
    cross join lateral (
      select (${timeOf(now)} - interval ${sql.lit(`${OLDEST_DAYS} days`)} * (bits % 1000000) / 1000000)::timestamptz(3)
        as written_at
    ) times
    on conflict do nothing`.execute(trx)
  const name = sql.lit(markupName({ summaryGeneratedAt: '' }))
  await sql`
    with texts as materialized (
      select number, head_sha, language, texts.title, texts.lead, content, markup, feed, excerpts
      from json_to_recordset(${JSON.stringify(written)}::json) as pulls (number integer, head_sha text, texts json)
      cross join lateral json_to_recordset(texts) as texts (
        language text, title text, lead text, content text, markup text, feed text, excerpts text
      )
    )
    insert into article_texts
      (article_id, language, version, private, head_sha, kind, prompt_version, title, lead, content, markup, feed_html, excerpts, generated_at)
    select
      articles.id, language, 1, false, head_sha, 'outline', ${sql.lit(OUTLINE_VERSION)}, title, lead,
      '{"summaryGeneratedAt":"' || written_at || '",' || content, '{"of":"' || ${name} || written_at || '",' || markup,
      feed, excerpts, created_at
    from ${repositories} join articles using (host_repo_id) join texts using (number)
    cross join lateral (
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as written_at
    ) times
    where case ${bitsOf(sql`'languages ' || n || ' ' || number`, seed)} % 5
      when 0 then true
      when 1 then language = 'en'
      else language = 'ja'
    end
    on conflict do nothing`.execute(trx)
}

export async function countSeededTexts(db: Kysely<Schema>): Promise<number> {
  const { texts } = await db
    .selectFrom('article_texts')
    .innerJoin('articles', 'articles.id', 'article_texts.article_id')
    .where('articles.host_repo_id', '>=', FIRST_ID)
    .where('articles.host_repo_id', '<=', LAST_ID)
    .select(({ fn }) => fn.countAll<number>().as('texts'))
    .executeTakeFirstOrThrow()
  return texts
}

/** Shows the repositories again if the service has checked them since, because the code host knows none of them. */
export async function proveRepositories(db: Kysely<Schema>, provenAt: Date): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ private: false, doubted: false, proven_at: provenAt })
    .where('host_repo_id', '>=', FIRST_ID)
    .where('host_repo_id', '<=', LAST_ID)
    .where((where) =>
      where.or([where('private', '=', true), where('doubted', '=', true), where('proven_at', '<', provenAt)]),
    )
    .execute()
}
