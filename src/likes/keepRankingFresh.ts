import type { Context } from '../context.ts'
import { findRanking } from '../db/likes/ranking.ts'
import { checkAllPublic, freshness } from '../repositories/publicVisibility.ts'

const MINUTE = 60_000
const MOST = 100
/** More than fall due in a minute, if all of them are of different repositories. */
const MAX_AT_ONCE = 40

/** The ranking waits for nobody, so what stands at its top is proven before it is due: see `checkRankedRepositories`. */
export function keepRankingFresh(ctx: Context): () => void {
  const timer = setInterval(() => {
    checkRankedRepositories(ctx).catch((error) =>
      ctx.log.warn({ err: error }, 'What is ranked could not be looked up.'),
    )
  }, MINUTE)
  return () => clearInterval(timer)
}

/** Asks of the first of each ranking whether they are still public. Not without a token: that has few questions. */
export async function checkRankedRepositories(ctx: Context): Promise<void> {
  if (!ctx.config.codeHost.token) return
  const fresh = freshness(ctx)
  const sooner = { ...fresh, public_minutes: fresh.public_minutes - 1 }
  const page = { language: 'all', limit: MOST, offset: 0 }
  for (const period of ['all_time', 'monthly', 'weekly', 'daily'] as const) {
    const [found] = await findRanking(ctx.db, period, page, sooner, null)
    if (found?.unproven) checkAllPublic(ctx, found.unproven, MAX_AT_ONCE)
  }
}
