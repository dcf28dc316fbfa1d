import type { Context } from '../context.ts'
import { type FeedEntry, findEntriesOf, MAX_ENTRIES } from '../db/atom/atomEntries.ts'
import { freshness } from '../repositories/freshness.ts'
import { type ArticleFilters, listArticles } from '../search/listArticles.ts'

/** The newest articles that a search finds, as anyone without an account would find them. */
export async function searchEntries(ctx: Context, filters: ArticleFilters): Promise<FeedEntry[]> {
  const { data } = await listArticles(ctx, undefined, { ...filters, sort: 'newest', limit: MAX_ENTRIES })
  const texts = data.map(({ articleId, languageCode }) => ({ articleId, language: languageCode }))
  return findEntriesOf(ctx.db, texts, freshness(ctx))
}
