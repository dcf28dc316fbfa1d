import { randomUUIDv7 } from 'node:crypto'
import type { components } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import type { CredentialKeys } from '../../db/accounts/viewers.ts'
import { addLike, removeLike, type TextKey, type TextQuery } from '../../db/likes/likes.ts'
import type { Freshness } from '../../db/visibility.ts'
import type { UnverifiedAccountCredential } from '../accounts/unverifiedCredential.ts'
import { findOfArticle } from '../articles/checkVisibility.ts'
import { freshness } from '../repositories/freshness.ts'

const FOREIGN_KEY_VIOLATION = '23503'

type LikeResult = components['schemas']['LikeResult']

/** Likes a text; idempotent. */
export async function like(ctx: Context, credential: UnverifiedAccountCredential, text: TextKey): Promise<LikeResult> {
  const row = await withText(ctx, credential, text, (...args) => addOrFind(ctx, ...args))
  if (row.added) ctx.counting.soon()
  return {
    like: {
      id: row.id,
      userId: row.user_id,
      articleId: text.articleId.toLowerCase(),
      languageCode: text.language,
      likedAt: row.liked_at.toISOString(),
    },
    likeCount: row.count,
    alreadyLiked: !row.added,
  }
}

/** Removes a like. Returns the number of likes that the text still has. */
export async function unlike(ctx: Context, credential: UnverifiedAccountCredential, text: TextKey): Promise<number> {
  const row = await withText(ctx, credential, text, async (...args) => (await removeLike(ctx.db, ...args))[0])
  if (row.removed) ctx.counting.soon()
  return row.count
}

/**
 * Inserts a like, or finds the existing one. Of two concurrent inserts, the second neither inserts a row nor sees the
 * first one's row in its snapshot, so it retries.
 */
async function addOrFind(ctx: Context, keys: CredentialKeys, query: TextQuery, fresh: Freshness) {
  const id = randomUUIDv7()
  while (true) {
    const [row] = await addLike(ctx.db, keys, query, fresh, { id }).catch(noRowIfAccountGone)
    if (!row) return undefined
    if (row.added) return { ...row, id, liked_at: fresh.now }
    if (row.id && row.liked_at) return { ...row, id: row.id, liked_at: row.liked_at }
  }
}

/** A foreign key violation means that the account was deleted during the statement. */
function noRowIfAccountGone(error: { code?: string }): never[] {
  if (error.code === FOREIGN_KEY_VIOLATION) return []
  throw error
}

/**
 * Runs the one statement that authenticates the caller, checks visibility and acts on the text. If the statement finds
 * no row, authenticates the caller and checks the repository separately, and runs the statement again.
 */
async function withText<Row extends { user_id: string }>(
  ctx: Context,
  credential: UnverifiedAccountCredential,
  text: TextKey,
  act: (keys: CredentialKeys, query: TextQuery, fresh: Freshness) => Promise<Row | undefined>,
): Promise<Row> {
  const { articleId, language } = text
  const keys = { ...credential.token, is_checked: false }
  return findOfArticle<Row & { is_unverified?: boolean }>(ctx, articleId, {
    async atOnce() {
      const fast = await act(keys, { articleId, language, is_verified: false }, freshness(ctx))
      if (fast) credential.isKnownAs(fast.user_id)
      return fast
    },
    identify: credential.identify,
    checked: () => act({ ...keys, is_checked: true }, { articleId, language, is_verified: true }, freshness(ctx)),
  })
}
