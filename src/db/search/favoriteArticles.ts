import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { shownTo } from '../visibility.ts'
import { type ListPage, listedInOrder } from './articleLists.ts'
import { isListed, isVisibleCard, type Reader } from './listedTexts.ts'

interface FavoriteReader extends Reader {
  userId: string
}

type Page = Omit<ListPage, 'sort'> & {
  /** Only articles that were first written after the user last saw the favorite. */
  isUnread?: boolean
}

/** The newest articles about a user's favorites, one row for each. */
export async function findFavoriteArticles(db: Kysely<Schema>, preferred: string, page: Page, reader: FavoriteReader) {
  const favorites = shownTo(db, reader)
    .innerJoin('favorites', 'favorites.host_repo_id', 'repositories.host_repo_id')
    .where('favorites.user_id', '=', reader.userId)
    .where(isListed(reader))
    .select([
      'repositories.host_repo_id',
      sql<Date>`coalesce(favorites.seen_at, favorites.registered_at)`.as('seen_at'),
    ])
  const newest = sql<{ article_id: string; language: string; score: number; at: Date }>`(
    select card.* from (${favorites}) favorite cross join lateral (${newestOf(db, preferred, page, reader)}) card
    order by card.at desc, card.article_id desc
    limit ${page.limit}
  )`
  return listedInOrder(db, newest, reader).execute()
}

/**
 * Reads only as many cards of a favorite as the page holds, in the order of an index, so that a large repository costs no
 * more than a small one.
 */
function newestOf(
  db: Kysely<Schema>,
  preferred: string,
  { limit, after, isUnread = false }: Page,
  reader: FavoriteReader,
): RawBuilder<unknown> {
  const isAfter = after
    ? sql`(article_cards.created_at, article_cards.article_id) < (${after.at}::timestamptz, ${after.articleId}::uuid)`
    : sql`true`
  const isNew = isUnread ? sql`article_cards.created_at > favorite.seen_at` : sql`true`
  return sql`
    select article_cards.article_id, article_cards.language, 0 as score, article_cards.created_at as at from article_cards
    where article_cards.host_repo_id = favorite.host_repo_id and ${isAfter} and ${isNew}
      and ${isVisibleCard(db, { language: undefined, preferred }, reader)}
    order by article_cards.created_at desc, article_cards.article_id desc
    limit ${limit}`
}
