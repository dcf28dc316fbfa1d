import type { components, operations } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import type { CredentialKeys } from '../../db/accounts/viewers.ts'
import type { PageRequest } from '../../db/engine/pagination.ts'
import { findLikedArticles, findLikedRows, findLikedState } from '../../db/likes/likedArticles.ts'
import type { JsonText } from '../../lib/jsonText.ts'
import { unauthenticated } from '../accounts/problems.ts'
import type { Viewer } from '../accounts/session.ts'
import type { UnverifiedAccountCredential } from '../accounts/unverifiedCredential.ts'
import { freshness } from '../repositories/freshness.ts'
import { checkAllPublic, checkUnverified } from '../repositories/publicVisibility.ts'
import { recheckAccess } from '../repositories/recheckAccess.ts'
import { audienceOf } from '../repositories/visibility.ts'

type Query = NonNullable<operations['listLikedArticles']['parameters']['query']>
type FilledQuery = Required<Omit<Query, 'lang' | 'language'>> & { language: string | undefined }
type LikedArticlesPage = components['schemas']['LikedArticlesPage']

/** The visible articles that a user likes. Repositories hidden only by a stale visibility check are rechecked first. */
export async function listLiked(
  ctx: Context,
  credential: UnverifiedAccountCredential,
  query: FilledQuery,
): Promise<JsonText<LikedArticlesPage>> {
  const fast = await findFor(ctx, query, { ...credential.token, is_checked: false })
  if (fast) credential.isKnownAs(fast.user_id)
  if (fast && !fast.hidden) return toPage(ctx, fast)
  const viewer = await credential.identify()
  const find = () => findFor(ctx, query, { ...credential.token, is_checked: true })
  let found = fast ?? (await find())
  if (found?.hidden) {
    await recheckAccess(ctx, viewer, found.hidden)
    found = await find()
  }
  // The session ended after it was verified.
  if (!found) throw unauthenticated()
  return toPage(ctx, found)
}

async function findFor(ctx: Context, { language, sort, limit, offset }: FilledQuery, keys: CredentialKeys) {
  const order = sort === 'likedAt_asc' ? 'asc' : 'desc'
  return findLikedArticles(ctx.db, { order, language, limit, offset }, freshness(ctx), keys)
}

type Found = NonNullable<Awaited<ReturnType<typeof findFor>>>

function toPage(ctx: Context, { page, unverified }: Found): JsonText<LikedArticlesPage> {
  if (unverified) checkAllPublic(ctx, unverified)
  return { parts: [page] }
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
