import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { findMostLiked, findNewestFor, findNewestOf } from '../../db/feeds/atomEntries.ts'
import type { Period } from '../../db/likes/ranking.ts'
import { ownerOfFeed } from '../../domain/accounts/feedKey.ts'
import { PERIOD_COLUMNS } from '../../domain/likes/ranking.ts'
import { freshness } from '../../domain/repositories/freshness.ts'
import { NAME } from '../../domain/repositories/parseAddress.ts'
import { Problem } from '../../errors.ts'
import { isLanguageCode } from '../../lib/languageCode.ts'
import { limit } from '../api/limit.ts'
import { repositoryAddress } from '../pages/addresses.ts'
import { NEWEST_FEED, newestFeedPath, RANKING_FEED, repositoryFeedPath } from '../pages/feedPaths.ts'
import { sendErrorOrPage } from '../pages/negotiateErrors.ts'
import { pathWith } from '../pages/pathWith.ts'
import { searchEntries } from './searchEntries.ts'
import { serveSearchFeed } from './searchFeed.ts'
import { createSendAtom } from './sendFeed.ts'

const TITLES: Record<Period, string> = {
  all_time: 'Pullpress: most liked articles',
  monthly: 'Pullpress: most liked articles of the last 30 days',
  weekly: 'Pullpress: most liked articles of the last 7 days',
  daily: 'Pullpress: most liked articles of the last 24 hours',
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The URL itself grants access, so it must not be logged. */
    isSecretPath?: boolean
  }
}

/** Atom feeds of public repositories only. */
export function serveFeeds(ctx: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    const sendAtom = createSendAtom(ctx)
    app.addHook('onRequest', ({ routeOptions }, reply) => limit(ctx, reply, routeOptions.config.cost ?? 'reads', null))
    app.setErrorHandler((error, request, reply) => sendErrorOrPage(ctx, error, request, reply))
    app.get(NEWEST_FEED, async (request, reply) => {
      const language = languageOf(request)
      const entries = await searchEntries(ctx, { language })
      return sendAtom(request, reply, entries, {
        title: 'Pullpress: newest articles',
        path: newestFeedPath(language),
        page: pathWith('/read', { language }),
        language,
      })
    })
    serveSearchFeed(ctx, app, sendAtom)
    app.get(RANKING_FEED, async (request, reply) => {
      const { period = 'all' } = request.query as Record<string, string>
      const language = languageOf(request)
      const column = Object.entries(PERIOD_COLUMNS).find(([name]) => name === period)?.[1]
      if (!column) throw new Problem('VALIDATION_ERROR', 'period must be all, monthly, weekly or daily.')
      await ctx.counting.catchUp(false)
      const entries = await findMostLiked(ctx.db, column, language, freshness(ctx))
      return sendAtom(request, reply, entries, {
        title: TITLES[column],
        path: pathWith(RANKING_FEED, { period: period === 'all' ? undefined : period, language }),
        page: '/read',
        language,
      })
    })
    app.get('/feeds/repos/:owner/:repo', async (request, reply) => {
      const { owner = '', repo = '' } = request.params as Record<string, string>
      if (!NAME.test(owner) || !NAME.test(repo)) throw new Problem('NOT_FOUND', 'There is no such repository.')
      const language = languageOf(request)
      const entries = await findNewestOf(ctx.db, { owner, repo }, language, freshness(ctx))
      if (entries.length === 0) throw new Problem('NOT_FOUND', 'There are no public articles about this repository.')
      return sendAtom(request, reply, entries, {
        title: `Pullpress: ${owner}/${repo}`,
        path: pathWith(repositoryFeedPath(owner, repo), { language }),
        page: repositoryAddress(owner, repo),
        language,
      })
    })
    app.get('/feeds/favorites/:key', { config: { isSecretPath: true } }, async (request, reply) => {
      const { key = '' } = request.params as Record<string, string>
      const owner = await ownerOfFeed(ctx, key)
      if (!owner) throw new Problem('NOT_FOUND', 'There is no such feed.')
      const language = languageOf(request)
      const entries = await findNewestFor(ctx.db, owner, language, freshness(ctx))
      return sendAtom(request, reply.header('X-Robots-Tag', 'noindex'), entries, {
        title: `Pullpress: ${owner.host_username}`,
        path: pathWith(`/feeds/favorites/${key}`, { language }),
        page: '/read/me',
        language,
        isPrivate: true,
      })
    })
  }
}

function languageOf({ query }: FastifyRequest): string | undefined {
  const { language } = query as Record<string, string | undefined>
  if (language === undefined || language === 'all') return undefined
  if (!isLanguageCode(language))
    throw new Problem('VALIDATION_ERROR', 'language must be a language code of ISO 639-1, such as ja, or all.')
  return language
}
