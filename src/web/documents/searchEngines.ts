import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { findPublicTexts } from '../../db/feeds/atomEntries.ts'
import { findListedRepositories } from '../../db/search/repositoryLists.ts'
import { freshness } from '../../domain/repositories/freshness.ts'
import { checkUnverified } from '../../domain/repositories/publicVisibility.ts'
import { singleFlight } from '../../lib/singleFlight.ts'
import { limit } from '../api/limit.ts'
import { cacheControl, publicOrigin } from '../api/sameOrigin.ts'
import { pageAddress, repositoryAddress } from '../pages/addresses.ts'

const CACHE_SECONDS = 300
/** Limit of articles, and of repositories, in the sitemap. A sitemap may have 50,000 URLs. */
const MAX_URLS = 10_000

interface SitePage {
  path: string
  changedAt?: Date
}

/** robots.txt and sitemap.xml, with public repositories only. */
export function serveSearchEngines(ctx: Context) {
  const oneQueryAtATime = singleFlight<SitePage[]>()
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
      const pages = await oneQueryAtATime('sitemap', () => publicPages(ctx))
      return reply
        .header('Cache-Control', cacheControl(ctx, CACHE_SECONDS))
        .type('application/xml; charset=utf-8')
        .send(sitemapOf(publicOrigin(ctx, request), pages))
    })
  }
}

async function publicPages(ctx: Context): Promise<SitePage[]> {
  await ctx.indexing.catchUp()
  const fresh = freshness(ctx)
  const [texts, repositories] = await Promise.all([
    findPublicTexts(ctx.db, MAX_URLS, fresh),
    findListedRepositories(ctx.db, MAX_URLS, fresh),
  ])
  // Without CODE_HOST_TOKEN, visibility checks are scarce: they are reserved for articles that are read.
  if (ctx.config.codeHost.token) checkUnverified(ctx, texts)
  return [
    { path: '/read' },
    ...repositories.map(({ owner, name, newest_article_at: changedAt }) => ({
      path: repositoryAddress(owner, name),
      changedAt,
    })),
    ...texts.map(({ id, language, generated_at: changedAt }) => ({ path: pageAddress(id, language), changedAt })),
  ]
}

function sitemapOf(origin: string, pages: SitePage[]): string {
  const escaped = origin.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const urls = pages.map(
    ({ path, changedAt }) =>
      `<url><loc>${escaped}${path}</loc>${changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''}</url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
}
