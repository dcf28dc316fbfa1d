import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { findPublicTexts } from '../db/atom/atomEntries.ts'
import { singleFlight } from '../lib/singleFlight.ts'
import { freshness } from '../repositories/freshness.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'
import { limit } from './limit.ts'
import { cacheControl, publicOrigin } from './sameOrigin.ts'

const CACHE_SECONDS = 300
const MAX_URLS = 10_000

type PublicTexts = Awaited<ReturnType<typeof findPublicTexts>>

/** robots.txt and sitemap.xml, with public repositories only. */
export function serveSearchEngines(ctx: Context) {
  const oneQueryAtATime = singleFlight<PublicTexts>()
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('preHandler', (_, reply) => limit(ctx, reply, 'reads', null))
    app.get('/robots.txt', (request, reply) =>
      reply
        .header('Cache-Control', cacheControl(ctx, CACHE_SECONDS))
        .type('text/plain; charset=utf-8')
        .send(
          `User-agent: *\nDisallow: /read/me\nDisallow: /sign-in\nDisallow: /feeds/favorites/\nSitemap: ${publicOrigin(ctx, request)}/sitemap.xml\n`,
        ),
    )
    app.get('/sitemap.xml', async (request, reply) => {
      const texts = await oneQueryAtATime('sitemap', async () => {
        const found = await findPublicTexts(ctx.db, MAX_URLS, freshness(ctx))
        // Without CODE_HOST_TOKEN, visibility checks are scarce: they are reserved for articles that are read.
        if (ctx.config.codeHost.token) checkUnverified(ctx, found)
        return found
      })
      return reply
        .header('Cache-Control', cacheControl(ctx, CACHE_SECONDS))
        .type('application/xml; charset=utf-8')
        .send(sitemapOf(publicOrigin(ctx, request), texts))
    })
  }
}

function sitemapOf(origin: string, texts: PublicTexts): string {
  const pages = `${origin.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}/read/articles`
  const urls = texts.map(
    ({ id, language, generated_at }) =>
      `<url><loc>${pages}/${id}?language=${language}</loc><lastmod>${generated_at.toISOString()}</lastmod></url>`,
  )
  urls.unshift(`<url><loc>${pages.replace(/\/articles$/, '')}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
}
