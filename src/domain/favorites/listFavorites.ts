import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import { decodeCursor, encodeCursor, isOffset, isTime, isUuid, requireOneStart } from '../../lib/cursor.ts'
import type { PageWithoutUrls } from '../../lib/withoutUrl.ts'
import type { Viewer } from '../accounts/session.ts'
import { shownFavorites, toFavorite } from './favorites.ts'

type FavoritesPage = PageWithoutUrls<components['schemas']['FavoritesPage']>

interface PageQuery {
  limit: number
  offset: number
  cursor?: string | undefined
}

/** A page of the favorites that this session may see, newest first. */
export async function listFavorites(ctx: Context, viewer: Viewer, query: PageQuery): Promise<FavoritesPage> {
  requireOneStart(query)
  const cursor = decodeCursor<[number, string, number]>(
    query.cursor,
    ([at, id, offset]) => isTime(at) && isUuid(id) && isOffset(offset),
  )
  const favorites = await shownFavorites(ctx, viewer)
  const { limit } = query
  const offset = cursor?.[2] ?? query.offset
  const start = cursor ? favorites.findIndex((row) => isAfter(row, cursor)) : offset
  const page = start === -1 ? [] : favorites.slice(start, start + limit)
  const last = start !== -1 && favorites.length > start + limit ? page.at(-1) : undefined
  const nextCursor = last ? encodeCursor([last.registered_at.getTime(), last.id, offset + limit]) : null
  return {
    data: page.map((row) => toFavorite(ctx, row)),
    pagination: { totalItems: favorites.length, limit, offset, nextCursor },
  }
}

type Row = Awaited<ReturnType<typeof shownFavorites>>[number]

function isAfter({ registered_at, id }: Row, [at, lastId]: [number, string, number]): boolean {
  const time = registered_at.getTime()
  return time < at || (time === at && id < lastId)
}
