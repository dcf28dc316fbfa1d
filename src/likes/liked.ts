import type { components, operations } from '../../generated/api.ts'
import { type AccountAsker, identifiedKeysOf, keysOf } from '../accounts/asker.ts'
import type { Context } from '../context.ts'
import type { BearerKeys } from '../db/callers.ts'
import { findLikedArticles } from '../db/likedArticles.ts'
import { type JsonText, pageText } from '../json.ts'
import { proveAllSoon, publicSince } from '../repositories/publicProof.ts'
import { audienceOf, reprove } from '../repositories/visibility.ts'

type Query = NonNullable<operations['listLikedArticles']['parameters']['query']>
type Asked = Required<Omit<Query, 'lang'>> & Pick<Query, 'lang'>
type LikedArticlesPage = components['schemas']['LikedArticlesPage']

/** What somebody likes and may see, after giving what is hidden for an old proof a chance to be proven anew. */
export async function listLiked(ctx: Context, asker: AccountAsker, query: Asked): Promise<JsonText<LikedArticlesPage>> {
  const swift = await findFor(ctx, query, keysOf(ctx, asker.token))
  if (swift) asker.isKnownAs(swift.user_id)
  if (swift && !swift.hidden) return toPage(ctx, query, swift)
  const viewer = await asker.identify()
  const keys = identifiedKeysOf(ctx, asker.token)
  const { hidden } = swift ?? (await findFor(ctx, query, keys)) ?? {}
  if (hidden) await reprove(ctx, viewer, hidden)
  const found = await findFor(ctx, query, keys)
  if (!found) throw new Error('Likes were not found for somebody who was identified.')
  return toPage(ctx, query, found)
}

async function findFor(ctx: Context, { lang, sort, limit, offset }: Asked, keys: BearerKeys) {
  return findLikedArticles(ctx.db, {
    ...keys,
    ...{ limit, offset, language: lang, order: sort === 'likedAt_asc' ? 'asc' : 'desc' },
    provenSince: audienceOf(ctx, undefined).provenSince,
    publicSince: publicSince(ctx),
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof findFor>>>

function toPage(ctx: Context, { limit, offset }: Asked, { rows, unproven, total }: Found): JsonText<LikedArticlesPage> {
  if (unproven) proveAllSoon(ctx, unproven)
  return pageText(rows, { totalItems: total, limit, offset })
}
