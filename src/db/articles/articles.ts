import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { ArticleTextRow } from '../schema/articleTables.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository, isUnverified } from '../visibility.ts'
import type { JobKey } from './articleJobs.ts'
import { shownTexts } from './shownArticles.ts'

export interface PullRequestKey {
  host_repo_id: number
  number: number
}

const MAX_OLDER_VERSIONS = 10

/**
 * Looks up pull requests, which must belong to visible repositories. Returns for each stored one whether it is hidden,
 * and its article, if any, with the lead in the given language, else in another one.
 */
export async function findArticlesOf(db: Kysely<Schema>, keys: PullRequestKey[], language: string) {
  if (keys.length === 0) return []
  const ids = keys.map((key) => key.host_repo_id)
  const numbers = keys.map((key) => key.number)
  return db
    .selectFrom('pull_requests')
    .innerJoin('repositories', 'repositories.host_repo_id', 'pull_requests.host_repo_id')
    .where(
      sql<boolean>`(pull_requests.host_repo_id, pull_requests.number) in (select * from unnest(${ids}::bigint[], ${numbers}::integer[]))`,
    )
    .leftJoinLateral(
      (inner) =>
        inner
          .selectFrom('articles')
          .innerJoin('article_texts', 'article_texts.article_id', 'articles.id')
          .whereRef('articles.host_repo_id', '=', 'pull_requests.host_repo_id')
          .whereRef('articles.number', '=', 'pull_requests.number')
          .where(fitsRepository('pull_requests'))
          .where(fitsRepository('article_texts'))
          .orderBy(sql`article_texts.language = ${language}`, 'desc')
          .orderBy('article_texts.language')
          .limit(sql.lit(1))
          .select(['articles.id', 'article_texts.lead', 'article_texts.language'])
          .as('article'),
      (join) => join.onTrue(),
    )
    .select(['pull_requests.host_repo_id', 'pull_requests.number'])
    .select(['article.id', 'article.lead', 'article.language'])
    .select(sql<boolean>`pull_requests.hidden_by is not null`.as('is_hidden'))
    .execute()
}

/** The repository of an article; undefined if the audience may not see the article. */
export async function findShownRepositoryOf(db: Kysely<Schema>, audience: Audience, articleId: string) {
  return shownTexts(db, audience)
    .where('articles.id', '=', articleId)
    .select(['repositories.host_repo_id', isUnverified(audience)])
    .limit(1)
    .executeTakeFirst()
}

/** The repository of an article, visible or not. */
export async function findRepositoryOfArticle(db: Kysely<Schema>, articleId: string): Promise<number | undefined> {
  const row = await db.selectFrom('articles').where('id', '=', articleId).select('host_repo_id').executeTakeFirst()
  return row?.host_repo_id
}

/** The current texts of a pull request's article. For writing only: it ignores visibility. */
export async function findTexts(db: Kysely<Schema>, { host_repo_id, number }: PullRequestKey) {
  return db
    .selectFrom('article_texts')
    .innerJoin('articles', 'articles.id', 'article_texts.article_id')
    .where('articles.host_repo_id', '=', host_repo_id)
    .where('articles.number', '=', number)
    .select([
      'article_texts.language',
      'article_texts.private',
      'article_texts.head_sha',
      'article_texts.kind',
      'article_texts.prompt_version',
      'article_texts.translated_from',
      'article_texts.content',
      'article_texts.generated_at',
      'article_texts.forced_at',
    ])
    .execute()
}

export async function upsertArticle(db: Kysely<Schema>, key: PullRequestKey, now: Date): Promise<string> {
  const row = {
    id: randomUUIDv7(),
    host_repo_id: key.host_repo_id,
    number: key.number,
    created_at: now,
    updated_at: now,
  }
  const { id } = await db
    .insertInto('articles')
    .values(row)
    .onConflict((conflict) => conflict.columns(['host_repo_id', 'number']).doUpdateSet({ updated_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Replaces the current text, which becomes an older version. The newest 10 older versions are kept. */
export async function replaceText(db: Kysely<Schema>, text: Omit<ArticleTextRow, 'version'>): Promise<void> {
  const { article_id, language } = text
  const previous = await db
    .selectFrom('article_texts')
    .where('article_id', '=', article_id)
    .where('language', '=', language)
    .forUpdate()
    .select(['version', 'private', 'head_sha', 'kind', 'prompt_version', 'content', 'generated_at', 'forced_at'])
    .executeTakeFirst()
  if (previous) {
    const { forced_at: _, ...kept } = previous
    await db
      .insertInto('article_versions')
      .values({ article_id, language, ...kept })
      .execute()
    await db
      .deleteFrom('article_versions')
      .where('article_id', '=', article_id)
      .where('language', '=', language)
      .where('version', '<=', previous.version - MAX_OLDER_VERSIONS)
      .execute()
  }
  const isSameText =
    previous?.head_sha === text.head_sha &&
    previous.kind === text.kind &&
    previous.prompt_version === text.prompt_version
  const forcedAt = text.forced_at ?? (isSameText ? previous.forced_at : null)
  const row = { ...text, version: (previous?.version ?? 0) + 1, forced_at: forcedAt }
  await db
    .insertInto('article_texts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['article_id', 'language']).doUpdateSet(row))
    .execute()
}

/**
 * The newest older version of the text with this key, as JSON. A job reuses it when a branch is reset to an earlier
 * commit.
 */
export async function findOlderVersion(
  db: Kysely<Schema>,
  key: JobKey,
  { private: hidden }: { private: boolean },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('article_versions')
    .innerJoin('articles', 'articles.id', 'article_versions.article_id')
    .where('articles.host_repo_id', '=', key.host_repo_id)
    .where('articles.number', '=', key.number)
    .where('article_versions.language', '=', key.language)
    .where('article_versions.head_sha', '=', key.head_sha)
    .where('article_versions.kind', '=', key.kind)
    .where('article_versions.prompt_version', '=', key.prompt_version)
    .where('article_versions.private', '=', hidden)
    .select('article_versions.content')
    .orderBy('article_versions.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.content
}

/** The diff lines that a visible text cites, as JSON, and its pull request. */
export async function findExcerpts(db: Kysely<Schema>, audience: Audience, articleId: string, language: string) {
  return shownTexts(db, audience)
    .where('articles.id', '=', articleId)
    .where('article_texts.language', '=', language)
    .select(['article_texts.excerpts', 'article_texts.private', 'articles.host_repo_id', 'articles.number'])
    .executeTakeFirst()
}

/** Replaces the markup of a text, unless it has changed since `previous` was read. */
export async function updateMarkup(
  db: Kysely<Schema>,
  { articleId, language }: { articleId: string; language: string },
  previous: string | null,
  { excerpts, markup, feedHtml }: { excerpts: string; markup: string; feedHtml: string },
): Promise<void> {
  await db
    .updateTable('article_texts')
    .set({ excerpts, markup, feed_html: feedHtml })
    .where('article_id', '=', articleId)
    .where('language', '=', language)
    .where(sql<boolean>`markup is not distinct from ${previous}`)
    .execute()
}
