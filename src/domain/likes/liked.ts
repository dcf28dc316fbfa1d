import type { components, operations } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import type { CredentialKeys } from '../../db/accounts/viewers.ts'
import type { PageRequest } from '../../db/engine/pagination.ts'
import { findLikedArticles, findLikedRows, findLikedState } from '../../db/likes/likedArticles.ts'
import { decodeCursor, encodeCursor, isOffset, isTime, isUuid, requireOneStart } from '../../lib/cursor.ts'
import { type JsonText, pageText } from '../../lib/jsonText.ts'
import { unauthenticated } from '../accounts/problems.ts'
import type { Viewer } from '../accounts/session.ts'
import type { UnverifiedAccountCredential } from '../accounts/unverifiedCredential.ts'
import { freshness } from '../repositories/freshness.ts'
import { checkAllPublic, checkUnverified } from '../repositories/publicVisibility.ts'
import { recheckAccess } from '../repositories/recheckAccess.ts'
import { audienceOf } from '../repositories/visibility.ts'

type Query = NonNullable<operations['listLikedArticles']['parameters']['query']>
type FilledQuery = Required<Omit<Query, 'lang' | 'language' | 'cursor'>> & {
  language: string | undefined
  cursor?: string | undefined
  articlePages: string
}
type LikedArticlesPage = components['schemas']['LikedArticlesPage']

/** The visible articles that a user likes. Repositories hidden only by a stale visibility check are rechecked first. */
export async function listLiked(
  ctx: Context,
  credential: UnverifiedAccountCredential,
  query: FilledQuery,
): Promise<{ page: JsonText<LikedArticlesPage>; nextCursor: string | null }> {
  requireOneStart(query)
  const fast = await findFor(ctx, query, { ...credential.token, is_checked: false })
  if (fast) credential.isKnownAs(fast.user_id)
  if (fast && !fast.hidden) return toPage(ctx, query, fast)
  const viewer = await credential.identify()
  const find = () => findFor(ctx, query, { ...credential.token, is_checked: true })
  let found = fast ?? (await find())
  if (found?.hidden) {
    await recheckAccess(ctx, viewer, found.hidden)
    found = await find()
  }
  // The session ended after it was verified.
  if (!found) throw unauthenticated()
  return toPage(ctx, query, found)
}

/** The cursor holds the last like of the previous page, and the offset of the page after it. */
function startOf({ cursor, offset }: FilledQuery) {
  const values = decodeCursor<[number, string, number]>(
    cursor,
    ([at, id, next]) => isTime(at) && isUuid(id) && isOffset(next),
  )
  return values ? { afterAt: new Date(values[0]), afterId: values[1], offset: values[2] } : { offset }
}

async function findFor(ctx: Context, query: FilledQuery, keys: CredentialKeys) {
  const { language, sort, limit, articlePages } = query
  const order = sort === 'likedAt_asc' ? 'asc' : 'desc'
  const { afterAt, afterId, offset } = startOf(query)
  const page = { order, language, limit, articlePages, afterAt, afterId, offset: afterId ? 0 : offset } as const
  return findLikedArticles(ctx.db, page, freshness(ctx), keys)
}

type Found = NonNullable<Awaited<ReturnType<typeof findFor>>>

function toPage(ctx: Context, query: FilledQuery, found: Found) {
  const { items, total: totalItems, unverified, has_more, last_at, last_id } = found
  if (unverified) checkAllPublic(ctx, unverified)
  const { limit } = query
  const { offset } = startOf(query)
  const isLast = !has_more || last_at === null || last_id === null
  const nextCursor = isLast ? null : encodeCursor([last_at.getTime(), last_id, offset + limit])
  return { page: pageText<LikedArticlesPage>(items, { totalItems, limit, offset, nextCursor }), nextCursor }
}

/** The newest liked articles of a viewer as rows, for a web page. */
export async function listLikedRows(ctx: Context, viewer: Viewer, page: PageRequest) {
  const query = { order: 'desc', language: undefined, ...page } as const
  const liker = () => ({ ...audienceOf(ctx, viewer), userId: viewer.user.id })
  let state = await findLikedState(ctx.db, query, liker())
  if (state.hidden) {
    await recheckAccess(ctx, viewer, state.hidden)
    state = await findLikedState(ctx.db, query, liker())
  }
  const rows = await findLikedRows(ctx.db, query, liker())
  checkUnverified(ctx, rows)
  return { rows, total: state.total }
}
