import { randomUUIDv7 } from 'node:crypto'
import type { components } from '../../generated/api.ts'
import {
  credentialKeys,
  type UnverifiedAccountCredential,
  verifiedCredentialKeys,
} from '../accounts/unverifiedCredential.ts'
import { checkArticleVisibility } from '../articles/checkVisibility.ts'
import { articleNotFound } from '../articles/problems.ts'
import type { Context } from '../context.ts'
import type { CredentialKeys } from '../db/accounts/viewers.ts'
import { type AskedText, addLike, removeLike, type TextKey } from '../db/likes/likes.ts'
import type { Freshness } from '../db/visibility.ts'
import { freshness } from '../repositories/publicVisibility.ts'

const FOREIGN_KEY_VIOLATION = '23503'

type LikeResult = components['schemas']['LikeResult']

/** Likes a text, once: whoever likes it already is told so. */
export async function like(ctx: Context, credential: UnverifiedAccountCredential, text: TextKey): Promise<LikeResult> {
  const row = await withText(ctx, credential, text, (...asked) => addOrFind(ctx, ...asked))
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

/** Answers how many likes are left. */
export async function unlike(ctx: Context, credential: UnverifiedAccountCredential, text: TextKey): Promise<number> {
  const row = await withText(ctx, credential, text, async (...asked) => (await removeLike(ctx.db, ...asked))[0])
  if (row.removed) ctx.counting.soon()
  return row.count
}

/** Of two taps at once, the second neither adds the like nor sees the first one's: it looks again. */
async function addOrFind(ctx: Context, keys: CredentialKeys, asked: AskedText, fresh: Freshness) {
  const id = randomUUIDv7()
  while (true) {
    const [row] = await addLike(ctx.db, keys, asked, fresh, { id }).catch(noRowIfAccountGone)
    if (!row) return undefined
    if (row.added) return { ...row, id, liked_at: fresh.now }
    if (row.id && row.liked_at) return { ...row, id: row.id, liked_at: row.liked_at }
  }
}

/** Their account was closed in this very moment: whoever it is now has none. */
function noRowIfAccountGone(error: { code?: string }): never[] {
  if (error.code === FOREIGN_KEY_VIOLATION) return []
  throw error
}

/**
 * Does something to a text in the one statement that also finds out who asks and whether they may. Only where that does
 * not tell, the caller is authenticated and the repository proven in the ordinary way.
 */
async function withText<Row extends { user_id: string }>(
  ctx: Context,
  credential: UnverifiedAccountCredential,
  text: TextKey,
  act: (keys: CredentialKeys, asked: AskedText, fresh: Freshness) => Promise<Row | undefined>,
): Promise<Row> {
  const { articleId, language } = text
  const swift = await act(
    credentialKeys(ctx, credential.token),
    { articleId, language, is_proven: false },
    freshness(ctx),
  )
  if (swift) {
    credential.isKnownAs(swift.user_id)
    return swift
  }
  await checkArticleVisibility(ctx, await credential.identify(), text.articleId)
  const keys = verifiedCredentialKeys(ctx, credential.token)
  const row = await act(keys, { articleId, language, is_proven: true }, freshness(ctx))
  if (!row) throw articleNotFound()
  return row
}
