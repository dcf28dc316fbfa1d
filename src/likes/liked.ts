import type { components, operations } from '../../generated/api.ts'
import { type AccountAsker, identifiedKeysOf, keysOf } from '../accounts/asker.ts'
import { unauthenticated } from '../accounts/problems.ts'
import type { Context } from '../context.ts'
import type { BearerKeys } from '../db/accounts/callers.ts'
import { findLikedArticles } from '../db/likes/likedArticles.ts'
import type { JsonText } from '../lib/jsonText.ts'
import { freshness, checkAllPublic } from '../repositories/publicVisibility.ts'
import { recheckAccess } from '../repositories/visibility.ts'

type Query = NonNullable<operations['listLikedArticles']['parameters']['query']>
type Asked = Required<Omit<Query, 'lang'>> & Pick<Query, 'lang'>
type LikedArticlesPage = components['schemas']['LikedArticlesPage']

/** What somebody likes and may see, after giving what is hidden for an old proof a chance to be proven anew. */
export async function listLiked(ctx: Context, asker: AccountAsker, query: Asked): Promise<JsonText<LikedArticlesPage>> {
  const swift = await findFor(ctx, query, keysOf(ctx, asker.token))
  if (swift) asker.isKnownAs(swift.user_id)
  if (swift && !swift.hidden) return toPage(ctx, swift)
  const viewer = await asker.identify()
  const find = () => findFor(ctx, query, identifiedKeysOf(ctx, asker.token))
  let found = swift ?? (await find())
  if (found?.hidden) {
    await recheckAccess(ctx, viewer, found.hidden)
    found = await find()
  }
  // Their session has ended in this very moment.
  if (!found) throw unauthenticated()
  return toPage(ctx, found)
}

async function findFor(ctx: Context, { lang, sort, limit, offset }: Asked, keys: BearerKeys) {
  const order = sort === 'likedAt_asc' ? 'asc' : 'desc'
  return findLikedArticles(ctx.db, order, { language: lang, limit, offset }, freshness(ctx), keys)
}

type Found = NonNullable<Awaited<ReturnType<typeof findFor>>>

function toPage(ctx: Context, { page, unproven }: Found): JsonText<LikedArticlesPage> {
  if (unproven) checkAllPublic(ctx, unproven)
  return { parts: [page] }
}
