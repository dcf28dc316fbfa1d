import { html, type SafeHtml } from '@remix-run/html-template'
import type { Summary } from '../../../domain/pulls/lists.ts'
import type { PullRequestFeed } from '../../../domain/pulls/pullRequestFeed.ts'
import { titleHtml, webAddress } from '../../../writer/render/renderMarkdown.ts'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { offsetLinks } from './offsetLinks.ts'
import { dateOf, stateLabel } from './pullState.ts'

/** The newest pull requests of the user's favorites. */
export function feedSection(visit: Visit, { data: pulls, unavailable: missed, pagination }: PullRequestFeed): SafeHtml {
  const { locale } = visit
  const t = texts[locale]
  const unavailable = missed.length
  return html`<section aria-labelledby="feed"><h2 id="feed">${t.feed}</h2>
${unavailable > 0 ? html`<p class="warning">${t.unavailable(unavailable)}</p>` : ''}
${pulls.length === 0 ? html`<p class="empty">${t.emptyFeed}</p>` : html`<ul class="list">${pulls.map((pull) => feedItem(t, locale, pull))}</ul>`}
${offsetLinks(visit, 'feed', pagination.hasMore)}
</section>`
}

function feedItem(t: Texts, locale: Visit['locale'], pull: Summary): SafeHtml {
  return html`<li><div><a href="/read/pulls/${pull.repositoryFullName}/${String(pull.prNumber)}" dir="auto">${titleHtml(pull.title)}</a>
<p class="meta"><a href="${webAddress(pull.hostPrUrl)}" rel="external">${pull.repositoryFullName} #${String(pull.prNumber)}</a> <span>${pull.authorLogin}</span> ${pull.merged ? html`<span class="merged">${t.merged}</span>` : html`<span>${stateLabel(pull.state, pull.draft, locale)}</span>`} <span>${t.opened} ${dateOf(pull.hostPrCreatedAt, locale)}</span></p></div>
<form method="post" action="/read/open"><input type="hidden" name="address" value="${pull.repositoryFullName}#${String(pull.prNumber)}"><button class="${pull.articleExists ? '' : 'quiet'}">${pull.articleExists ? t.read : t.write}</button></form></li>`
}
