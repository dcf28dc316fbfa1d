import type { Context } from '../../context.ts'
import { findFavoriteArticles } from '../../db/search/favoriteArticles.ts'
import type { Viewer } from '../accounts/session.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { pageOf, positionOf } from './articlesPage.ts'

export type FavoriteArticles = ReturnType<typeof pageOf>

/** A page of the newest articles about the viewer's favorites, as far as their visibility checks are fresh. */
export async function favoriteArticles(
  ctx: Context,
  viewer: Viewer,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<FavoriteArticles> {
  const page = { limit: limit + 1, after: positionOf(cursor) }
  const { id: userId, language } = viewer.user
  const rows = await findFavoriteArticles(ctx.db, language, page, { ...audienceOf(ctx, viewer), userId })
  return pageOf(ctx, { rows, places: rows }, limit)
}

const MAX_NEW = 20

/** The articles about favorites that are new to the viewer, newest first. */
export async function newArticles(ctx: Context, viewer: Viewer): Promise<FavoriteArticles['data']> {
  const page = { limit: MAX_NEW, after: undefined, isUnread: true }
  const { id: userId, language } = viewer.user
  const rows = await findFavoriteArticles(ctx.db, language, page, { ...audienceOf(ctx, viewer), userId })
  return pageOf(ctx, { rows, places: rows }, MAX_NEW).data
}
