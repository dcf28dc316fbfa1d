import type { Context } from '../../context.ts'
import { findRepositoryOfArticle, findShownRepositoryOf } from '../../db/articles/articles.ts'
import type { Viewer } from '../accounts/session.ts'
import { afterPublicCheck } from '../repositories/publicVisibility.ts'
import { recheckHiddenAccess } from '../repositories/recheckAccess.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { articleNotFound } from './problems.ts'

interface Find<Row> {
  atOnce: () => Promise<Row | undefined>
  identify: () => Viewer | undefined | Promise<Viewer | undefined>
  checked: (viewer: Viewer | undefined) => Promise<Row | undefined>
}

/**
 * Finds data of an article with `atOnce`. If there is none, or the public check is due, runs the due visibility checks
 * and searches again with `checked`.
 */
export async function findOfArticle<Row extends { is_unverified?: boolean }>(
  ctx: Context,
  articleId: string,
  { atOnce, identify, checked }: Find<Row>,
): Promise<Row> {
  const first = await atOnce()
  if (first && !first.is_unverified) return first
  const viewer = await identify()
  await checkArticleVisibility(ctx, viewer, articleId)
  const row = await checked(viewer)
  if (!row) throw articleNotFound()
  return row
}

/**
 * Runs the visibility checks that are due for the repository of an article: whether it is still public, and whether
 * this viewer may see it. The viewer's check also runs for an unknown article, so that the response time does not
 * reveal which articles exist.
 */
async function checkArticleVisibility(ctx: Context, viewer: Viewer | undefined, articleId: string): Promise<void> {
  const findHostRepoId = () => findRepositoryOfArticle(ctx.db, articleId)
  const key = async () => {
    const hostRepoId = await findHostRepoId()
    return hostRepoId === undefined ? undefined : { hostRepoId }
  }
  const repository = await afterPublicCheck(ctx, key, () =>
    findShownRepositoryOf(ctx.db, audienceOf(ctx, viewer), articleId),
  )
  if (!repository && viewer) await recheckHiddenAccess(ctx, viewer, await findHostRepoId())
}
