import { html, type SafeHtml } from '@remix-run/html-template'
import type { ArticlePage } from '../../../domain/articles/read.ts'
import { withoutInvisible } from '../../../writer/reading/visible.ts'
import { titleHtml, titleText, webAddress } from '../../../writer/render/renderMarkdown.ts'
import { repositoryAddress } from '../addresses.ts'
import { languageLabel, numberLabel } from '../format.ts'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import { signInPath } from '../wish.ts'
import { pullState } from './pullState.ts'

const MAX_LABELS = 8

/** Title, facts about the pull request, and what the reader can do with the article. */
export function articleHead(visit: Visit, page: ArticlePage, minutes: number, ownLanguage: string): SafeHtml {
  const t = texts[visit.locale]
  const { aiGeneratedTitle } = page.content
  const isRepeated = titleText(page.title) === titleText(aiGeneratedTitle)
  return html`<header>
<p class="meta"><a href="${repositoryAddress(page.owner, page.name)}">${page.owner}/${page.name}</a> <a href="${webAddress(page.host_url)}" rel="external" lang="${visit.locale}">${t.pullOnHost(page.number, hostName(page.host_url))}</a></p>
<h1>${titleHtml(aiGeneratedTitle)}</h1>
${isRepeated ? '' : html`<p class="original" lang="und" dir="auto">${titleHtml(page.title)}</p>`}
${facts(visit, page, minutes)}
${page.is_stale ? html`<p class="warning" lang="${visit.locale}">${t.stale}</p>` : ''}
<div class="acts" lang="${visit.locale}">${likeButton(visit, page)}${languageLinks(visit, page)}${writeButton(visit, page, ownLanguage)}</div>
</header>`
}

function hostName(url: string): string {
  return URL.parse(url)?.host ?? ''
}

function facts({ locale }: Visit, page: ArticlePage, minutes: number): SafeHtml {
  const t = texts[locale]
  const { content, labels, author_login: author, additions, deletions, changed_files: files } = page
  const count = (value: number) => numberLabel(value, locale)
  return html`<ul class="facts" lang="${locale}">
<li class="made-by">${content.generator.kind === 'model' ? t.madeByModel : t.madeAsOutline}</li>
<li>${t.pullBy} ${author}${page.author_is_bot ? html` <span class="tag">${t.bot}</span>` : ''}</li>
${pullState({ ...page, mergedAt: page.merged_at, openedAt: page.host_created_at }, locale)}
<li>${t.size(count(additions), count(deletions), count(files))}</li>
<li>${t.readingMinutes(minutes)}</li>
</ul>
${
  labels.length > 0
    ? html`<ul class="tags" lang="${locale}" aria-label="${t.labels}">${labels.slice(0, MAX_LABELS).map((label) => html`<li dir="auto">${withoutInvisible(label)}</li>`)}</ul>`
    : ''
}`
}

function languageLinks({ locale }: Visit, { languages, language }: ArticlePage): SafeHtml {
  if (languages.length < 2) return html``
  return html`<nav class="tabs" aria-label="${texts[locale].articleLanguage}">${languages.map((code) =>
    code === language
      ? html`<a href="?language=${code}" aria-current="page">${languageLabel(code, locale)}</a>`
      : html`<a href="?language=${code}" hreflang="${code}">${languageLabel(code, locale)}</a>`,
  )}</nav>`
}

/** Offers to write the article in the reader's language, or to update a stale one. */
function writeButton(
  visit: Visit,
  { owner, name, number, language, languages, is_stale }: ArticlePage,
  ownLanguage: string,
): SafeHtml {
  const t = texts[visit.locale]
  const isMissing = !languages.includes(ownLanguage)
  if (!isMissing && !is_stale) return html``
  const wanted = isMissing ? ownLanguage : language
  const place = `${owner}/${name}#${number}`
  const label = isMissing ? t.writeIn(languageLabel(ownLanguage, visit.locale)) : t.updateArticle
  return visit.viewer
    ? html`<form class="wish" method="post" action="/read/open"><input type="hidden" name="address" value="${place}"><input type="hidden" name="language" value="${wanted}"><button class="quiet">${label}</button></form>`
    : html`<p class="wish"><a class="button quiet" href="${signInPath(visit.path, { for: 'write', address: place, language: wanted })}">${label}</a></p>`
}

function likeButton({ viewer, locale, path }: Visit, { id, language, likes, is_liked }: ArticlePage): SafeHtml {
  const t = texts[locale]
  if (!viewer)
    return html`<p class="like"><a class="button quiet" href="${signInPath(path, { for: 'like', articleId: id, language })}">${t.like} <span>${likes}</span></a></p>`
  return html`<form class="like" method="post" action="/read/like">
<input type="hidden" name="articleId" value="${id}"><input type="hidden" name="language" value="${language}"><input type="hidden" name="to" value="${path}">
<button name="wish" value="${is_liked ? 'unlike' : 'like'}" aria-pressed="${String(is_liked)}">${t.like} <span>${likes}</span></button>
</form>`
}
