import { type AliasedExpression, type InferResult, type Kysely, sql } from 'kysely'
import { shownTexts } from '../articles/shownArticles.ts'
import type { Period } from '../likes/ranking.ts'
import { isRepository, type Name } from '../repositories/repositories.ts'
import type { Schema } from '../schema/schema.ts'
import { type Freshness, isUnverified, publicAudience } from '../visibility.ts'

export const MAX_ENTRIES = 50

export type FeedEntry = Awaited<ReturnType<typeof findNewestOf>>[number]

/** The newest texts about a repository. Feeds need no sign-in, so they contain only public texts. */
export async function findNewestOf(db: Kysely<Schema>, name: Name, language: string | undefined, fresh: Freshness) {
  const newest = entries(db, language, fresh).where(isRepository(name)).orderBy('article_texts.generated_at', 'desc')
  return withContent(db, newest.as('entries')).orderBy('entries.generated_at', 'desc').execute()
}

/**
 * The newest articles about a user's favorite repositories. If no language is given, each article is in the user's
 * language, if available.
 */
export async function findNewestFor(
  db: Kysely<Schema>,
  reader: { id: string; language: string },
  language: string | undefined,
  fresh: Freshness,
) {
  const readersLanguage = sql<string>`(
    select other.language from article_texts other
    where other.article_id = articles.id and not other.private
    order by other.language <> ${reader.language}, other.language limit 1
  )`
  const newest = entries(db, language, fresh)
    .innerJoin('favorites', 'favorites.host_repo_id', 'repositories.host_repo_id')
    .where('favorites.user_id', '=', reader.id)
    .where(language === undefined ? sql<boolean>`article_texts.language = ${readersLanguage}` : sql.lit(true))
    .orderBy('article_texts.generated_at', 'desc')
  return withContent(db, newest.as('entries')).orderBy('entries.generated_at', 'desc').execute()
}

export async function findMostLiked(
  db: Kysely<Schema>,
  period: Period,
  language: string | undefined,
  fresh: Freshness,
) {
  const mostLiked = entries(db, language, fresh)
    .innerJoin('like_counts', (join) =>
      join
        .onRef('like_counts.article_id', '=', 'article_texts.article_id')
        .onRef('like_counts.language', '=', 'article_texts.language'),
    )
    .where(sql<boolean>`like_counts.ranked`)
    .where(`like_counts.${period}`, '>', 0)
    .orderBy(`like_counts.${period}`, 'desc')
    .orderBy('like_counts.article_created_at', 'desc')
    .orderBy('like_counts.article_id')
    .orderBy('like_counts.language')
    .select([`like_counts.${period} as likes`, 'like_counts.article_created_at'])
  return withContent(db, mostLiked.as('entries'))
    .orderBy(sql.ref('entries.likes'), 'desc')
    .orderBy(sql.ref('entries.article_created_at'), 'desc')
    .orderBy('entries.id')
    .orderBy('entries.language')
    .execute()
}

/** The given texts in the given order, without those that are not public. */
export async function findEntriesOf(
  db: Kysely<Schema>,
  texts: { articleId: string; language: string }[],
  fresh: Freshness,
): Promise<FeedEntry[]> {
  const [ids, languages] = [texts.map(({ articleId }) => articleId), texts.map(({ language }) => language)]
  const listed = entries(db, undefined, fresh).where(
    sql<boolean>`(articles.id, article_texts.language) in (select * from unnest(${ids}::uuid[], ${languages}::text[]))`,
  )
  return withContent(db, listed.as('entries')).orderBy(sql`array_position(${ids}::uuid[], entries.id)`).execute()
}

/** The public texts for the sitemap, newest first. */
export async function findPublicTexts(db: Kysely<Schema>, max: number, fresh: Freshness) {
  return shownTexts(db, publicAudience(fresh))
    .select([
      'articles.id',
      'article_texts.language',
      'article_texts.generated_at',
      'repositories.host_repo_id',
      isUnverified(fresh),
    ])
    .orderBy('article_texts.generated_at', 'desc')
    .limit(max)
    .execute()
}

function entries(db: Kysely<Schema>, language: string | undefined, fresh: Freshness) {
  return shownTexts(db, publicAudience(fresh))
    .where(language === undefined ? sql.lit(true) : sql<boolean>`article_texts.language = ${language}`)
    .select([
      'articles.id',
      'articles.created_at',
      'articles.number',
      'article_texts.language',
      'article_texts.title',
      'article_texts.generated_at',
      'repositories.host_repo_id',
      'repositories.owner',
      'repositories.name',
      'pull_requests.author_login',
      isUnverified(fresh),
    ])
    .limit(MAX_ENTRIES)
}

/**
 * Adds summary and HTML after the limit was applied. Otherwise the database would read and check the texts of all rows.
 */
function withContent(
  db: Kysely<Schema>,
  found: AliasedExpression<InferResult<ReturnType<typeof entries>>[number], 'entries'>,
) {
  return db
    .selectFrom(found)
    .innerJoin('article_texts', (join) =>
      join
        .onRef('article_texts.article_id', '=', 'entries.id')
        .onRef('article_texts.language', '=', 'entries.language'),
    )
    .selectAll('entries')
    .select(['article_texts.lead as summary', 'article_texts.feed_html'])
}
