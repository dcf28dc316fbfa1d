import type { Context } from '../../context.ts'
import { type FeedEntry, findEntriesOf, MAX_ENTRIES } from '../../db/feeds/atomEntries.ts'
import { type ArticleFilters, listArticles } from '../../domain/lists/listArticles.ts'
import { freshness } from '../../domain/repositories/freshness.ts'

/** The newest articles that a search finds, as anyone without an account would find them. */
export async function searchEntries(ctx: Context, filters: ArticleFilters): Promise<FeedEntry[]> {
  const { data } = await listArticles(ctx, undefined, { ...filters, sort: 'newest', limit: MAX_ENTRIES })
  const texts = data.map(({ articleId, languageCode }) => ({ articleId, language: languageCode }))
  return findEntriesOf(ctx.db, texts, freshness(ctx))
}
