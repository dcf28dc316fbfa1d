import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type FeedEntry, findMostLiked, findNewestFor, findNewestOf, findPublicTexts } from '../db/feeds.ts'
import type { Period } from '../db/ranking.ts'
import { Problem } from '../errors.ts'
import { ownerOfFeed } from '../feeds/address.ts'
import { type Atom, atomOf } from '../feeds/atom.ts'
import { freshness, proveAllSoon } from '../repositories/publicProof.ts'
import { ownOrigin } from './ownOrigin.ts'

const SECONDS = 300
const NAME = /^[\w.-]{1,100}$/
const MOST_IN_SITEMAP = 10_000
const PERIODS: Record<string, Period> = { all: 'all_time', monthly: 'monthly', weekly: 'weekly', daily: 'daily' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The address itself opens something, so it is not to be logged. */
    isSecretPath?: boolean
  }
}

/** Feeds and what search engines ask for: of public repositories alone. */
export function serveFeeds(ctx: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/feeds/ranking.atom', async (request, reply) => {
      const { period = 'all' } = request.query as Record<string, string>
      const language = languageOf(request)
      const column = Object.hasOwn(PERIODS, period) ? PERIODS[period] : undefined
      if (!column) throw new Problem('VALIDATION_ERROR', 'A period is all, monthly, weekly or daily.')
      await ctx.counting.catchUp(false)
      const entries = await findMostLiked(ctx.db, column, language, freshness(ctx))
      return sendAtom(ctx, request, reply, entries, { title: `Pullpress: ${period}`, page: '/read' })
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
      const entries = await findNewestFor(ctx.db, owner.id, languageOf(request), freshness(ctx))
      const title = `Pullpress: ${owner.host_username}`
      return sendAtom(ctx, request, reply.header('X-Robots-Tag', 'noindex'), entries, {
        title,
        page: '/read/me',
        isOwn: true,
      })
    })
    app.get('/robots.txt', (request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(
          `User-agent: *\nDisallow: /read/me\nDisallow: /sign-in\nDisallow: /feeds/favorites/\nSitemap: ${ownOrigin(ctx, request)}/sitemap.xml\n`,
        ),
    )
    app.get('/sitemap.xml', async (request, reply) => {
      const origin = ownOrigin(ctx, request)
      const texts = await findPublicTexts(ctx.db, MOST_IN_SITEMAP)
      const urls = texts.map(
        ({ id, language, generated_at }) =>
          `<url><loc>${origin}/read/articles/${id}?language=${language}</loc><lastmod>${generated_at.toISOString()}</lastmod></url>`,
      )
      return reply
        .header('Cache-Control', `public, max-age=${SECONDS}`)
        .type('application/xml; charset=utf-8')
        .send(
          `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`,
        )
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
  const unproven = entries.filter((entry) => entry.is_unproven).map((entry) => entry.host_repo_id)
  if (unproven.length > 0) proveAllSoon(ctx, unproven)
  const [origin, path, language] = [ownOrigin(ctx, request), request.url, languageOf(request)]
  const { text, updated } = atomOf({ title, origin, path, page, language }, entries)
  const tag = `"${hash('sha1', text, 'base64url')}"`
  reply.headers({
    ETag: tag,
    'Last-Modified': updated.toUTCString(),
    'Cache-Control': `${isOwn ? 'private' : 'public'}, max-age=${SECONDS}`,
  })
  if (isUnchanged(request, tag, { text, updated })) return reply.code(304).send()
  return reply.type('application/atom+xml; charset=utf-8').send(text)
}

/** By the tag where one is sent, else by the time, as HTTP has it. */
function isUnchanged({ headers }: FastifyRequest, tag: string, { updated }: Atom): boolean {
  const known = headers['if-none-match']
  if (known !== undefined) return known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return Math.floor(updated.getTime() / 1000) * 1000 <= since
}

function languageOf({ query }: FastifyRequest): string | undefined {
  const { language } = query as Record<string, string | undefined>
  if (language === undefined || language === 'all') return undefined
  if (!/^[a-z]{2}$/.test(language)) throw new Problem('VALIDATION_ERROR', 'A language is two letters, or all.')
  return language
}
