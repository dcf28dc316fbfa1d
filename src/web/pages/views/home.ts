import { html, type SafeHtml } from '@remix-run/html-template'
import type { Context } from '../../../context.ts'
import { listArticles } from '../../../domain/lists/listArticles.ts'
import { otherHostIn } from '../../../domain/repositories/parseAddress.ts'
import { newestFeedPath } from '../feedPaths.ts'
import { languageLabel } from '../format.ts'
import { texts } from '../locale.ts'
import { languageIn, type Page, type PageHandler, readerLanguage, type Visit } from '../page.ts'
import { pathWith } from '../pathWith.ts'
import { addressBox, pullExample } from './addressBox.ts'
import { articleList } from './articleList.ts'
import { rankingPath, rankingSection } from './ranking.ts'
import { languageTabs, nextLink, tabs } from './tabs.ts'

const LIMIT = 20

/** The front page: a form to open a pull request, the newest articles, and the ranking. */
export const home: PageHandler = async (visit, ctx) => {
  const t = texts[visit.locale]
  const language = languageIn(visit.query)
  const isRanking = visit.query['tab'] === 'ranking'
  const [newest, ranking] = await Promise.all([newestSection(visit, ctx), rankingSection(visit, ctx)])
  const links = [
    { text: t.newest, to: newestPath(language), isCurrent: !isRanking },
    { text: t.ranking, to: rankingPath(visit), isCurrent: isRanking },
  ]
  return {
    title: t.name,
    description: t.tagline,
    canonical: '/read',
    feed: language === undefined ? undefined : feedIn(visit, language),
    isWide: true,
    body: html`<section class="intro">
<h1>${t.tagline}</h1>
${addressBox(visit, warningOf(visit, ctx))}
</section>
${tabs(t.lists, links, 'tabs views')}
<div class="front ${isRanking ? 'at-ranking' : 'at-newest'}">
${newest}
${ranking}
</div>`,
  }
}

/** Why the URL that was sent cannot be opened. */
function warningOf({ locale, form, webOrigin }: Visit, { config }: Context): string | undefined {
  const { address } = form
  if (address === undefined) return undefined
  const t = texts[locale]
  const { webUrl } = config.codeHost
  const other = otherHostIn(address, webUrl)
  return other ? t.otherHost(other, webUrl.host) : t.invalidAddress(webUrl.host, pullExample(webOrigin))
}

function newestPath(language?: string, cursor?: string): string {
  return pathWith('/read', { language, cursor })
}

function feedIn({ locale }: Visit, language: string): Page['feed'] {
  return { title: `${texts[locale].newest}: ${languageLabel(language, locale)}`, path: newestFeedPath(language) }
}

async function newestSection(visit: Visit, ctx: Context): Promise<SafeHtml> {
  const t = texts[visit.locale]
  const language = languageIn(visit.query)
  const { cursor } = visit.query
  const query = { sort: 'newest', limit: LIMIT, ...(language && { language }), ...(cursor && { cursor }) } as const
  const { data, pagination } = await listArticles(ctx, visit.viewer, query, readerLanguage(visit))
  return html`<section class="newest" aria-labelledby="newest">
<h2 id="newest">${t.newest}</h2>
${languageTabs(visit, language, newestPath)}
<p class="meta"><a href="${newestFeedPath(language)}">${t.atomFeed}</a></p>
${data.length > 0 ? articleList(visit, data) : cursor ? html`<p class="empty">${t.noMoreArticles}</p>` : nothing(visit, language)}
${nextLink(visit, t.olderArticles, pagination.nextCursor && newestPath(language, pagination.nextCursor))}
</section>`
}

function nothing({ locale, viewer }: Visit, language: string | undefined): SafeHtml {
  const t = texts[locale]
  if (language) return html`<p class="empty">${t.nothingInLanguage} <a href="${newestPath()}">${t.allLanguages}</a></p>`
  return html`<p class="empty">${t.noArticles} ${viewer ? t.writeFirst : t.signInToWrite}</p>`
}
