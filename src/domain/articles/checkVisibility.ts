import type { Context } from '../../context.ts'
import { findRepositoryOfArticle, findShownRepositoryOf } from '../../db/articles/articles.ts'
import type { Viewer } from '../accounts/session.ts'
import { afterPublicCheck } from '../repositories/publicVisibility.ts'
import { recheckHiddenAccess } from '../repositories/recheckAccess.ts'
import { audienceOf } from '../repositories/visibility.ts'

/**
 * Runs the visibility checks that are due for the repository of an article: whether it is still public, and whether this
 * viewer may see it. The viewer's check also runs for an unknown article, so that timing does not reveal which exist.
 */
export async function checkArticleVisibility(
  ctx: Context,
  viewer: Viewer | undefined,
  articleId: string,
): Promise<void> {
  const findHostRepoId = () => findRepositoryOfArticle(ctx.db, articleId)
  const key = async () => {
    const hostRepoId = await findHostRepoId()
    return hostRepoId === undefined ? undefined : { hostRepoId }
  }
  const shown = await afterPublicCheck(ctx, key, () =>
    findShownRepositoryOf(ctx.db, audienceOf(ctx, viewer), articleId),
  )
  if (!shown && viewer) await recheckHiddenAccess(ctx, viewer, await findHostRepoId())
}
