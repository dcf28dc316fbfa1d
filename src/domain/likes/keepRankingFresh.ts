import type { Context } from '../../context.ts'
import { findRanking } from '../../db/likes/ranking.ts'
import { MINUTE_MS } from '../../lib/times.ts'
import { freshness } from '../repositories/freshness.ts'
import { checkAllPublic } from '../repositories/publicVisibility.ts'

const MAX_RANKED = 100
/**
 * Limit of the checks for one ranking in a minute: more than fall due, even if all texts belong to different
 * repositories.
 */
const MAX_AT_ONCE = 40

/** The ranking never waits for visibility checks, so this runs them for its top entries before they are due. */
export function keepRankingFresh(ctx: Context): () => void {
  const timer = setInterval(() => {
    checkRankedRepositories(ctx).catch((error) =>
      ctx.log.warn({ err: error }, 'Could not check whether the ranked repositories are still public.'),
    )
  }, MINUTE_MS)
  return () => clearInterval(timer)
}

/**
 * Checks that the first 100 of each ranking are still public. Does nothing without CODE_HOST_TOKEN, because the rate
 * limit for anonymous requests is too low.
 */
export async function checkRankedRepositories(ctx: Context): Promise<void> {
  if (!ctx.config.codeHost.token) return
  const fresh = freshness(ctx)
  const sooner = { ...fresh, public_minutes: fresh.public_minutes - 1 }
  const page = { language: 'all', limit: MAX_RANKED, offset: 0, articlePages: '' }
  for (const period of ['all_time', 'monthly', 'weekly', 'daily'] as const) {
    const [row] = await findRanking(ctx.db, period, page, sooner, null)
    if (row?.unverified) checkAllPublic(ctx, row.unverified, MAX_AT_ONCE)
  }
}
