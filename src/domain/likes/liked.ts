import type { components, operations } from '../../../generated/api.ts'
import type { Context } from '../../context.ts'
import type { PageRequest } from '../../db/engine/pagination.ts'
import { findLikedArticles, type LikedReader, type LikedText } from '../../db/likes/likedArticles.ts'
import { unauthenticated } from '../accounts/problems.ts'
import type { Viewer } from '../accounts/session.ts'
import type { UnverifiedAccountCredential } from '../accounts/unverifiedCredential.ts'
import { freshness } from '../repositories/freshness.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'
import { recheckAccess } from '../repositories/recheckAccess.ts'

type Query = NonNullable<operations['listLikedArticles']['parameters']['query']>
type FilledQuery = Required<Omit<Query, 'lang' | 'language'>> & { language: string | undefined }
type LikedArticlesPage = components['schemas']['LikedArticlesPage']

/** The visible articles that a user likes. Repositories hidden only by a stale visibility check are rechecked first. */
export async function listLiked(
  ctx: Context,
  credential: UnverifiedAccountCredential,
  query: FilledQuery,
): Promise<LikedArticlesPage> {
  const { limit, offset } = query
  const find = (isChecked: boolean) => findPage(ctx, query, { token: { ...credential.token, is_checked: isChecked } })
  let page = await find(false)
  if (page) credential.isKnownAs(page.userId)
  if (!page || page.hidden) {
    const viewer = await credential.identify()
    page ??= await find(true)
    if (page?.hidden) {
      await recheckAccess(ctx, viewer, page.hidden)
      page = await find(true)
    }
  }
  // The session ended after it was verified.
  if (!page) throw unauthenticated()
  checkUnverified(ctx, page.rows)
  return { data: page.rows.map(toLiked), pagination: { totalItems: page.total, limit, offset } }
}

/** The newest liked articles of a viewer, for a web page. */
export async function listNewestLiked(ctx: Context, viewer: Viewer, { limit, offset }: PageRequest) {
  const query = { sort: 'likedAt_desc', language: undefined, limit, offset } as const
  const find = () => findPage(ctx, query, { sessionId: viewer.id, userId: viewer.user.id })
  let page = await find()
  if (page?.hidden) {
    await recheckAccess(ctx, viewer, page.hidden)
    page = await find()
  }
  const { rows, total } = page ?? { rows: [], total: 0 }
  checkUnverified(ctx, rows)
  return { rows, total }
}

function findPage(ctx: Context, { language, sort, limit, offset }: FilledQuery, reader: LikedReader) {
  const order = sort === 'likedAt_asc' ? 'asc' : 'desc'
  return findLikedArticles(ctx.db, { order, language, limit, offset }, freshness(ctx), reader)
}

function toLiked(row: LikedText): LikedArticlesPage['data'][number] {
  return {
    articleId: row.article_id,
    languageCode: row.language,
    likedAt: row.liked_at.toISOString(),
    aiGeneratedTitle: row.title,
    lead: row.lead,
    repositoryFullName: `${row.owner}/${row.name}`,
    owner: row.owner,
    repo: row.name,
    prNumber: row.number,
    likeCount: row.likes,
  }
}
