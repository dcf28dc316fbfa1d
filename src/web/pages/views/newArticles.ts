import { html, type SafeHtml } from '@remix-run/html-template'
import type { FavoriteArticles } from '../../../domain/lists/favoriteArticles.ts'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import { articleList } from './articleList.ts'
import { nextLink } from './tabs.ts'

/** The newest articles about the user's favorites. */
export function newArticlesSection(visit: Visit, { data, pagination }: FavoriteArticles): SafeHtml {
  const t = texts[visit.locale]
  const { nextCursor } = pagination
  const empty = visit.query['articles'] ? t.noMoreArticles : t.noNewArticles
  return html`<section aria-labelledby="articles"><h2 id="articles">${t.newArticles}</h2>
${data.length > 0 ? articleList(visit, data) : html`<p class="empty">${empty}</p>`}
${nextLink(visit, t.olderArticles, nextCursor && `/read/me?articles=${nextCursor}#articles`)}
</section>`
}
