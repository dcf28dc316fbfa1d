import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { repositoryAddress } from '../articles/addresses.ts'
import { ownerOfFeed } from '../atom/address.ts'
import { atomOf } from '../atom/atom.ts'
import type { Context } from '../context.ts'
import { type FeedEntry, findMostLiked, findNewestFor, findNewestOf } from '../db/atom/atomEntries.ts'
import type { Period } from '../db/likes/ranking.ts'
import { Problem } from '../errors.ts'
import { PERIOD_COLUMNS } from '../likes/ranking.ts'
import { freshness } from '../repositories/freshness.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'
import { sendWithEtag } from './etag.ts'
import { limit } from './limit.ts'
import { cacheControl, publicOrigin } from './sameOrigin.ts'

const CACHE_SECONDS = 300
const NAME = /^[\w.-]{1,100}$/
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
    app.addHook('preHandler', (_, reply) => limit(ctx, reply, 'reads', null))
    app.get('/feeds/ranking.atom', async (request, reply) => {
      const { period = 'all' } = request.query as Record<string, string>
      const language = languageOf(request)
      const column = Object.entries(PERIOD_COLUMNS).find(([name]) => name === period)?.[1]
      if (!column) throw new Problem('VALIDATION_ERROR', 'period must be all, monthly, weekly or daily.')
      await ctx.counting.catchUp(false)
      const entries = await findMostLiked(ctx.db, column, language, freshness(ctx))
      return sendAtom(ctx, request, reply, entries, { title: TITLES[column], page: '/read' })
    })
    app.get('/feeds/repos/:owner/:repo', async (request, reply) => {
      const { owner = '', repo = '' } = request.params as Record<string, string>
      if (!NAME.test(owner) || !NAME.test(repo)) throw new Problem('NOT_FOUND', 'There is no such repository.')
      const entries = await findNewestOf(ctx.db, { owner, repo }, languageOf(request), freshness(ctx))
      if (entries.length === 0) throw new Problem('NOT_FOUND', 'There are no public articles about this repository.')
      return sendAtom(ctx, request, reply, entries, {
        title: `Pullpress: ${owner}/${repo}`,
        page: repositoryAddress(owner, repo),
      })
    })
    app.get('/feeds/favorites/:key', { config: { isSecretPath: true } }, async (request, reply) => {
      const { key = '' } = request.params as Record<string, string>
      const owner = await ownerOfFeed(ctx, key)
      if (!owner) throw new Problem('NOT_FOUND', 'There is no such feed.')
      const entries = await findNewestFor(ctx.db, owner, languageOf(request), freshness(ctx))
      const title = `Pullpress: ${owner.host_username}`
      return sendAtom(ctx, request, reply.header('X-Robots-Tag', 'noindex'), entries, {
        title,
        page: '/read/me',
        isPrivate: true,
      })
    })
  }
}

interface FeedInfo {
  title: string
  page: string
  isPrivate?: boolean
}

function sendAtom(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  entries: FeedEntry[],
  { title, page, isPrivate = false }: FeedInfo,
) {
  checkUnverified(ctx, entries)
  const [origin, path, language] = [publicOrigin(ctx, request), request.url, languageOf(request)]
  const { text, updated } = atomOf({ title, origin, path, page, language }, entries)
  reply.type('application/atom+xml; charset=utf-8').headers({
    'Last-Modified': updated.toUTCString(),
    'Cache-Control': cacheControl(ctx, CACHE_SECONDS, isPrivate),
  })
  // `If-Modified-Since` is ignored: likes reorder a feed and entries leave it without changing `Last-Modified`.
  return sendWithEtag(reply, text)
}

function languageOf({ query }: FastifyRequest): string | undefined {
  const { language } = query as Record<string, string | undefined>
  if (language === undefined || language === 'all') return undefined
  if (!/^[a-z]{2}$/.test(language)) throw new Problem('VALIDATION_ERROR', 'language must be two letters, or all.')
  return language
}
