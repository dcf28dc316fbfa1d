import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownerOfFeed } from '../atom/address.ts'
import { atomOf } from '../atom/atom.ts'
import type { Context } from '../context.ts'
import { type FeedEntry, findMostLiked, findNewestFor, findNewestOf } from '../db/atom/atomEntries.ts'
import type { Period } from '../db/likes/ranking.ts'
import { Problem } from '../errors.ts'
import { checkUnverified, freshness } from '../repositories/publicVisibility.ts'
import { limit } from './limit.ts'
import { cacheControl, publicOrigin } from './sameOrigin.ts'

const SECONDS = 300
const NAME = /^[\w.-]{1,100}$/
const TITLES: Record<Period, string> = {
  all_time: 'Pullpress: what readers liked most',
  monthly: 'Pullpress: what readers liked most in 30 days',
  weekly: 'Pullpress: what readers liked most in 7 days',
  daily: 'Pullpress: what readers liked most in 24 hours',
}
const PERIODS: Record<string, Period> = { all: 'all_time', monthly: 'monthly', weekly: 'weekly', daily: 'daily' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The address itself opens something, so it is not to be logged. */
    isSecretPath?: boolean
  }
}

/** Feeds: of public repositories alone. */
export function serveFeeds(ctx: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('preHandler', (_, reply) => limit(ctx, reply, 'reads', null))
    app.get('/feeds/ranking.atom', async (request, reply) => {
      const { period = 'all' } = request.query as Record<string, string>
      const language = languageOf(request)
      const column = Object.hasOwn(PERIODS, period) ? PERIODS[period] : undefined
      if (!column) throw new Problem('VALIDATION_ERROR', 'A period is all, monthly, weekly or daily.')
      await ctx.counting.catchUp(false)
      const entries = await findMostLiked(ctx.db, column, language, freshness(ctx))
      return sendAtom(ctx, request, reply, entries, { title: TITLES[column], page: '/read' })
    })
    app.get('/feeds/repos/:owner/:repo', async (request, reply) => {
      const { owner = '', repo = '' } = request.params as Record<string, string>
      if (!NAME.test(owner) || !NAME.test(repo)) throw new Problem('NOT_FOUND', 'There is no such repository.')
      const entries = await findNewestOf(ctx.db, { owner, repo }, languageOf(request), freshness(ctx))
      if (entries.length === 0) throw new Problem('NOT_FOUND', 'Nothing public was written about this repository.')
      return sendAtom(ctx, request, reply, entries, { title: `Pullpress: ${owner}/${repo}`, page: '/read' })
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
        isOwn: true,
      })
    })
  }
}

interface Kind {
  title: string
  page: string
  isOwn?: boolean
}

function sendAtom(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  entries: FeedEntry[],
  { title, page, isOwn = false }: Kind,
) {
  checkUnverified(ctx, entries)
  const [origin, path, language] = [publicOrigin(ctx, request), request.url, languageOf(request)]
  const { text, updated } = atomOf({ title, origin, path, page, language }, entries)
  const tag = `"${hash('sha1', text, 'base64url')}"`
  reply.headers({
    ETag: tag,
    'Last-Modified': updated.toUTCString(),
    'Cache-Control': cacheControl(ctx, SECONDS, isOwn),
  })
  if (isKnown(request, tag)) return reply.code(304).send()
  return reply.type('application/atom+xml; charset=utf-8').send(text)
}

/** By the tag alone: likes reorder a feed and entries leave it while its newest stays the newest. */
function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  return headers['if-none-match']?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag) ?? false
}

function languageOf({ query }: FastifyRequest): string | undefined {
  const { language } = query as Record<string, string | undefined>
  if (language === undefined || language === 'all') return undefined
  if (!/^[a-z]{2}$/.test(language)) throw new Problem('VALIDATION_ERROR', 'A language is two letters, or all.')
  return language
}
