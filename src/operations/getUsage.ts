import type { components } from '../../generated/api.ts'
import type { Context } from '../context.ts'
import { countLiveApiTokens } from '../db/accounts/apiTokens.ts'
import { articlesStarted } from '../db/articles/quotas.ts'
import { countMistakes } from '../db/mistakes/mistakes.ts'
import { MAX_TOKENS } from '../domain/accounts/apiTokens.ts'
import type { Viewer } from '../domain/accounts/session.ts'
import { countedFavorites, MAX_FAVORITES } from '../domain/favorites/favorites.ts'
import { MAX_REPORTS_PER_DAY } from '../domain/mistakes/reportMistake.ts'
import { dayOf, secondsUntilTomorrow } from '../lib/day.ts'
import { type Handler, reply } from '../web/api/handler.ts'

type Quota = components['schemas']['Quota']

export const getUsage: Handler<'getUsage'> = async ({ viewer }, ctx) =>
  reply(200, await usageOf(ctx, viewer), 'What you have used.')

/** What a user has used of each quota. */
async function usageOf(ctx: Context, viewer: Viewer): Promise<Quota[]> {
  const now = ctx.now()
  const { id } = viewer.user
  const day = dayOf(now)
  const resets = (used: number, seconds: number) =>
    used > 0 ? new Date(Math.floor(now.getTime() / 1000 + seconds) * 1000).toISOString() : null
  const ofDay = (name: Quota['name'], limit: number, used: number): Quota => ({
    ...{ name, limit, used },
    resetsAt: resets(used, secondsUntilTomorrow(now)),
  })
  const requests = (await ctx.limits?.used(id)) ?? []
  return [
    ofDay('articles', ctx.config.articles.quotaPerDay, await articlesStarted(ctx.db, id, day)),
    ofDay('mistake_reports', MAX_REPORTS_PER_DAY, await countMistakes(ctx.db, id, new Date(day))),
    {
      ...{ name: 'favorites', limit: MAX_FAVORITES, resetsAt: null },
      used: (await countedFavorites(ctx, ctx.db, viewer)).counted,
    },
    { name: 'api_tokens', limit: MAX_TOKENS, used: await countLiveApiTokens(ctx.db, viewer, now), resetsAt: null },
    ...requests.map(({ cost, limit, remaining, resetSeconds }) => {
      const used = limit - remaining
      return { name: cost, limit, used, resetsAt: resets(used, resetSeconds) }
    }),
  ]
}
