import { html, type SafeHtml } from '@remix-run/html-template'
import type { listLikedRows } from '../../../domain/likes/liked.ts'
import { titleHtml } from '../../../writer/render/renderMarkdown.ts'
import { pageAddress } from '../addresses.ts'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import { likes } from './articleList.ts'
import { LIMIT, offsetLinks, offsetOf } from './offsetLinks.ts'
import { rowFacts } from './placeFacts.ts'

type Liked = Awaited<ReturnType<typeof listLikedRows>>

/** The articles that the user likes. */
export function likedSection(visit: Visit, { rows, total }: Liked): SafeHtml {
  const t = texts[visit.locale]
  return html`<section aria-labelledby="liked"><h2 id="liked">${t.liked}</h2>
${
  rows.length === 0
    ? html`<p class="empty">${t.nothingLikedByYou}</p>`
    : html`<ul class="list">${rows.map(
        (like) =>
          html`<li><div><a href="${pageAddress(like.article_id, like.language)}" lang="${like.language}">${titleHtml(like.title)}</a>
${rowFacts(visit, like, likes(visit, like.likes, true))}</div></li>`,
      )}</ul>`
}
${offsetLinks(visit, 'liked', offsetOf(visit, 'liked') + LIMIT < total)}
</section>`
}
