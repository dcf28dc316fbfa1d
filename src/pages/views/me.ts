import { html, type SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../generated/api.ts'
import { pageAddress, repositoryAddress } from '../../articles/addresses.ts'
import { listArticleJobs } from '../../articles/listArticleJobs.ts'
import { feedKeyOf } from '../../atom/address.ts'
import { shownFavorites, toFavorite } from '../../favorites/favorites.ts'
import { listLikedRows } from '../../likes/liked.ts'
import { readFeed } from '../../pulls/pullRequestFeed.ts'
import { searchHostRepositories } from '../../repositories/searchHostRepositories.ts'
import { titleHtml, webAddress } from '../../writer/markup/renderMarkdown.ts'
import { dateLabel, languageLabel } from '../format.ts'
import { LOCALES, texts } from '../locale.ts'
import { offsetIn, type PageHandler, requireViewer, type Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { askedForSection } from './askedFor.ts'
import { favoritesSection } from './favorites.ts'

type FeedPage = components['schemas']['FeedPage']
type Summary = components['schemas']['PullRequestSummary']
type Liked = Awaited<ReturnType<typeof listLikedRows>>

const LIMIT = 20
const MAX_OFFSET = 1000
const MAX_SEARCH_LENGTH = 200
/** Languages that a model writes well. Users can choose others with the API. */
const OFFERED_LANGUAGES = 'zh ko es fr de pt it ru uk pl nl cs sv da fi tr el he ar fa hi bn id vi th'.split(' ')

/** The user's page: new pull requests, favorites, articles asked for, likes and settings. */
export const me: PageHandler = async (visit, ctx) => {
  const viewer = requireViewer(visit)
  const q = (visit.query['q'] ?? '').trim().slice(0, MAX_SEARCH_LENGTH)
  await ctx.indexing.catchUp()
  const [favorites, feed, feedKey, jobs, found, liked] = await Promise.all([
    shownFavorites(ctx, viewer),
    readFeed(ctx, viewer, LIMIT, offsetIn(visit.query, 'feed', MAX_OFFSET)),
    feedKeyOf(ctx, viewer),
    listArticleJobs(ctx, viewer, { limit: LIMIT }),
    q ? searchHostRepositories(ctx, viewer, { q, limit: LIMIT }) : undefined,
    listLikedRows(ctx, viewer, { limit: LIMIT, offset: offsetIn(visit.query, 'liked', MAX_OFFSET) }),
  ])
  const t = texts[visit.locale]
  return {
    title: t.myPage,
    isPrivate: true,
    body: html`<h1>${t.myPage} <span class="who">${viewer.user.host_username}</span></h1>
${sectionLinks(t)}
${feedSection(visit, feed)}
${favoritesSection(t, favorites.map(toFavorite), { q, found })}
${askedForSection(t, jobs.data)}
${likedSection(visit, liked)}
${languageSection(visit, viewer.user.language, ctx.askModel !== undefined)}
${atomSection(visit, feedKey)}
${ctx.config.codeHost.oauth ? privateAccessSection(t) : ''}
${deleteAccountSection(t)}`,
  }
}

function sectionLinks(t: Texts): SafeHtml {
  const parts = [
    ['feed', t.feed],
    ['favorites', t.favorites],
    ['asked', t.askedFor],
    ['liked', t.liked],
    ['language', t.articleLanguage],
    ['atom', t.ownFeed],
  ]
  return html`<nav class="tabs" aria-label="${t.contents}">${parts.map(([id, label]) => html`<a href="#${id}">${label}</a>`)}</nav>`
}

function pageLinks(visit: Visit, name: 'feed' | 'liked', hasMore: boolean): SafeHtml {
  const t = texts[visit.locale]
  const offset = offsetIn(visit.query, name, MAX_OFFSET)
  const pathAt = (to: number) => `/read/me${to > 0 ? `?${name}=${to}` : ''}#${name}`
  return html`<nav class="turning" aria-label="${t.pages}: ${t[name]}">
${offset > 0 ? html`<a rel="prev" href="${pathAt(offset - LIMIT)}">${t.previous}</a>` : ''}
${hasMore && offset < MAX_OFFSET ? html`<a rel="next" href="${pathAt(offset + LIMIT)}">${t.next}</a>` : ''}
</nav>`
}

function feedSection(visit: Visit, { data: pulls, unavailable: missed, pagination }: FeedPage): SafeHtml {
  const { locale } = visit
  const t = texts[locale]
  const unavailable = missed.length
  return html`<section aria-labelledby="feed"><h2 id="feed">${t.feed}</h2>
${unavailable > 0 ? html`<p class="warning">${t.unavailable(unavailable)}</p>` : ''}
${pulls.length === 0 ? html`<p class="empty">${t.emptyFeed}</p>` : html`<ul class="list">${pulls.map((pull) => feedItem(t, locale, pull))}</ul>`}
${pageLinks(visit, 'feed', pagination.hasMore)}
</section>`
}

function feedItem(t: Texts, locale: Visit['locale'], pull: Summary): SafeHtml {
  return html`<li><div><a href="/read/pulls/${pull.repositoryFullName}/${String(pull.prNumber)}" dir="auto">${titleHtml(pull.title)}</a>
<p class="meta"><a href="${webAddress(pull.hostPrUrl)}" rel="external">${pull.repositoryFullName} #${String(pull.prNumber)}</a> <span>${pull.authorLogin}</span> <time datetime="${pull.hostPrCreatedAt}">${dateLabel(pull.hostPrCreatedAt, locale)}</time></p></div>
<form method="post" action="/read/open"><input type="hidden" name="address" value="${pull.repositoryFullName}#${String(pull.prNumber)}"><button class="${pull.articleExists ? '' : 'quiet'}">${pull.articleExists ? t.read : t.write}</button></form></li>`
}

function likedSection(visit: Visit, { rows, total }: Liked): SafeHtml {
  const t = texts[visit.locale]
  return html`<section aria-labelledby="liked"><h2 id="liked">${t.liked}</h2>
${
  rows.length === 0
    ? html`<p class="empty">${t.nothingLikedByYou}</p>`
    : html`<ul class="list">${rows.map(
        (like) =>
          html`<li><div><a href="${pageAddress(like.article_id, like.language)}" lang="${like.language}">${titleHtml(like.title)}</a>
<p class="meta"><span><a href="${repositoryAddress(like.owner, like.name)}">${like.owner}/${like.name}</a> #${String(like.number)}</span> <span class="likes">♥ ${String(like.likes)}</span></p></div></li>`,
      )}</ul>`
}
${pageLinks(visit, 'liked', offsetIn(visit.query, 'liked', MAX_OFFSET) + LIMIT < total)}
</section>`
}

function languageSection({ locale }: Visit, chosen: string, hasModel: boolean): SafeHtml {
  const t = texts[locale]
  const codes = new Set([chosen, ...LOCALES, ...(hasModel ? OFFERED_LANGUAGES : [])])
  const options = [...codes].map((code) => [code, languageLabel(code, locale)] as const)
  return html`<section aria-labelledby="language"><h2 id="language">${t.articleLanguage}</h2>
<form method="post" action="/read/me/language"><label for="chosen">${t.articleLanguageHelp}</label>
<div class="row"><select id="chosen" name="language">${options.map(
    ([code, label]) => html`<option value="${code}" ${code === chosen ? html`selected` : ''}>${label}</option>`,
  )}</select><button class="quiet">${t.change}</button></div></form>
</section>`
}

function atomSection({ locale, origin }: Visit, key: string | undefined): SafeHtml {
  const t = texts[locale]
  return html`<section aria-labelledby="atom"><h2 id="atom">${t.ownFeed}</h2>
<p>${t.ownFeedHelp}</p>
${key ? html`<p><a href="/feeds/favorites/${key}"><code>${origin}/feeds/favorites/${key}</code></a></p>` : ''}
<form method="post" action="/read/feed"><button class="quiet">${key ? t.resetFeed : t.createFeed}</button></form>
</section>`
}

function privateAccessSection(t: Texts): SafeHtml {
  return html`<section aria-labelledby="private"><h2 id="private">${t.privateAccess}</h2>
<p>${t.privateAccessHelp}</p>
<p><a class="button quiet" href="/sign-in/host?access=private&amp;to=/read/me">${t.grantPrivateAccess}</a></p>
</section>`
}

function deleteAccountSection(t: Texts): SafeHtml {
  return html`<section aria-labelledby="leave"><h2 id="leave">${t.deleteAccount}</h2>
<p>${t.deleteAccountHelp}</p>
<form method="post" action="/read/leave"><label class="check"><input type="checkbox" name="sure" value="yes" required> ${t.deleteAccountConfirm}</label> <button class="quiet">${t.deleteAccount}</button></form>
</section>`
}
