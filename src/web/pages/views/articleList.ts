import { html, type SafeHtml } from '@remix-run/html-template'
import type { ListedArticle } from '../../../domain/lists/articlesPage.ts'
import { clip } from '../../../lib/clip.ts'
import { proseText, titleHtml } from '../../../writer/render/renderMarkdown.ts'
import { pageAddress } from '../addresses.ts'
import { numberLabel } from '../format.ts'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import { placeFacts } from './placeFacts.ts'

const MAX_LEAD_CHARACTERS = 140

/** Articles with what a reader needs to choose one. */
export function articleList(visit: Visit, articles: ListedArticle[]): SafeHtml {
  return html`<ul class="articles">${articles.map((article) => item(visit, article))}</ul>`
}

function item(visit: Visit, article: ListedArticle): SafeHtml {
  const { articleId, languageCode: language, aiGeneratedTitle, lead, snippet } = article
  const text = snippet ? marked(snippet) : lead && shortened(lead)
  return html`<li><h3><a class="title" href="${pageAddress(articleId, language)}" lang="${language}">${titleHtml(aiGeneratedTitle)}</a></h3>
${text === null ? '' : html`<p lang="${language}">${text}</p>`}
${facts(visit, article)}</li>
`
}

function facts(visit: Visit, article: ListedArticle): SafeHtml {
  const t = texts[visit.locale]
  const { kind, prNumber: number, languageCode: language, hostPrCreatedAt: openedAt } = article
  return html`<ul class="facts"><li class="made-by">${kind === 'model' ? t.madeByModel : t.madeAsOutline}</li>
${placeFacts(visit, { ...article, number, language, openedAt })}
<li>${t.readingMinutes(article.readingMinutes)}</li>
<li>${likes(visit, article.totalLikeCount, article.liked ?? false)}</li></ul>`
}

/** The number of likes, marked if the reader's own is among them. */
export function likes({ locale }: Visit, count: number, isMine: boolean): SafeHtml {
  const t = texts[locale]
  return html`<span class="${isMine ? 'likes mine' : 'likes'}" title="${isMine ? t.likedByYou : t.likes}">♥ ${numberLabel(count, locale)}</span>`
}

function shortened(markdown: string): string {
  const { text, truncated } = clip(proseText(markdown, 2 * MAX_LEAD_CHARACTERS), MAX_LEAD_CHARACTERS)
  return truncated ? `${text.trimEnd()}…` : text
}

/** A snippet of a search with its matches marked. */
function marked({ text, marks }: NonNullable<ListedArticle['snippet']>): SafeHtml {
  const parts = marks.map(({ start, end }, i) => {
    const before = text.slice(marks[i - 1]?.end ?? 0, start)
    return html`${before}<mark>${text.slice(start, end)}</mark>`
  })
  return html`${parts}${text.slice(marks.at(-1)?.end ?? 0)}`
}
