import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findRepositoryOfArticle, findShownRepositoryOf } from '../db/articles/articles.ts'
import { afterPublicCheck } from '../repositories/publicVisibility.ts'
import { audienceOf, recheckHiddenAccess } from '../repositories/visibility.ts'

/**
 * Has the code host asked about the repository of an article where that is due: whether it is still public, or whether
 * this viewer may see it. Of an article that there is not, the viewer's question is asked all the same.
 */
export async function checkArticleVisibility(
  ctx: Context,
  viewer: Viewer | undefined,
  articleId: string,
): Promise<void> {
  const behind = () => findRepositoryOfArticle(ctx.db, articleId)
  const key = async () => {
    const hostRepoId = await behind()
    return hostRepoId === undefined ? undefined : { hostRepoId }
  }
  const shown = await afterPublicCheck(ctx, key, () =>
    findShownRepositoryOf(ctx.db, audienceOf(ctx, viewer), articleId),
  )
  if (!shown && viewer) await recheckHiddenAccess(ctx, viewer, await behind())
}
