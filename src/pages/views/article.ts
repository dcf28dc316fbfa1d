import { html, type SafeHtml } from '@remix-run/html-template'
import { languageWritten } from '../../articles/generate.ts'
import { type ArticlePage, readArticlePage } from '../../articles/read.ts'
import { renewMarkup } from '../../articles/renewMarkup.ts'
import type { StoredContent } from '../../writer/content.ts'
import { type ClaimMarkup, type Markup, storedMarkup } from '../../writer/markup/markup.ts'
import { titleHtml, titleText, webAddress } from '../../writer/markup/renderMarkdown.ts'
import { visibleLine } from '../../writer/reading/visible.ts'
import { languageLabel, timeLabel } from '../format.ts'
import { texts } from '../locale.ts'
import { languageIn, type PageHandler, requireId, type Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { addressOf } from './open.ts'

const MAX_FILES = 30
const EMPTY: ClaimMarkup = { text: '', proofs: '' }

/** Shows an article with its evidence and the files it is based on. */
export const article: PageHandler = async (visit, ctx) => {
  const articleId = requireId(visit.params['articleId'])
  const found = await readArticlePage(ctx, visit.viewer, articleId, preferredLanguages(visit))
  const { language, content } = found
  const outdated = { articleId, language, content, hostPrUrl: found.host_url, markup: found.markup }
  const markup = storedMarkup(found.markup, content) ?? (await renewMarkup(ctx, visit.viewer, outdated))
  return {
    title: titleText(content.aiGeneratedTitle),
    description: markup.summary,
    canonical: addressOf(found.id, language),
    isPrivate: found.private,
    languages: found.languages.map((code) => [code, addressOf(found.id, code)]),
    feed: `/feeds/repos/${found.owner}/${found.name}`,
    body: html`<article lang="${language}" data-address="${visit.origin}/read/articles/${found.id}">
${head(visit, found, languageWritten(ctx, visit.viewer?.user.language ?? visit.locale))}
${content.backgroundAndPurpose ? html`<section><h2 lang="${visit.locale}">${texts[visit.locale].background}</h2>${html.raw`${markup.background}`}</section>` : ''}
${claims(visit, content, markup)}
${coverage(visit, content)}
</article>`,
  }
}

/** Languages to try, in this order: requested, the user's, the page's, any. */
function preferredLanguages({ query, viewer, locale }: Visit): string[] {
  const wanted = [languageIn(query), viewer?.user.language, locale, 'ja', 'en']
  return wanted.filter((code) => code !== undefined)
}

function head(visit: Visit, found: ArticlePage, ownLanguage: string): SafeHtml {
  const t = texts[visit.locale]
  const { content, language, author_login: author } = found
  const { generator } = content
  return html`<header>
<p class="meta"><a href="${webAddress(found.host_url)}" rel="external">${found.owner}/${found.name} #${found.number}</a></p>
<h1>${titleHtml(content.aiGeneratedTitle)}</h1>
<p class="original" lang="und" dir="auto">${titleHtml(found.title)}</p>
<p class="byline" lang="${visit.locale}">${generator.kind === 'model' ? t.articleBy(generator.model ?? '', author) : t.outlineBy(author)}</p>
${found.is_stale ? html`<p class="warning" lang="${visit.locale}">${t.stale}</p>` : ''}
<div class="acts" lang="${visit.locale}">${likeButton(visit, found)}
<nav class="tabs" aria-label="${t.articleLanguage}">${found.languages.map((code) =>
    code === language
      ? html`<a href="?language=${code}" aria-current="page">${languageLabel(code, visit.locale)}</a>`
      : html`<a href="?language=${code}" hreflang="${code}">${languageLabel(code, visit.locale)}</a>`,
  )}</nav>${writeButton(visit, found, ownLanguage)}</div>
</header>`
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
    : html`<p class="wish"><a class="button quiet" href="/sign-in?to=${encodeURIComponent(visit.path)}">${label}</a></p>`
}

function likeButton({ viewer, locale, path }: Visit, { id, language, likes, is_liked }: ArticlePage): SafeHtml {
  const t = texts[locale]
  if (!viewer)
    return html`<p class="like"><a class="button quiet" href="/sign-in?to=${encodeURIComponent(path)}">${t.like} <span>${likes}</span></a></p>`
  return html`<form class="like" method="post" action="/read/like">
<input type="hidden" name="articleId" value="${id}"><input type="hidden" name="language" value="${language}"><input type="hidden" name="to" value="${path}">
<button name="wish" value="${is_liked ? 'unlike' : 'like'}" aria-pressed="${String(is_liked)}">${t.like} <span>${likes}</span></button>
</form>`
}

function claims({ locale }: Visit, { mainChanges, notablePoints }: StoredContent, markup: Markup): SafeHtml {
  const t = texts[locale]
  return html`<section><h2 lang="${locale}">${t.mainChanges}</h2>
${mainChanges.map(
  (change, i) => html`<section class="claim"><h3><code>${visibleLine(change.fileName)}</code></h3>
<p class="tags" lang="${locale}">${change.changeTypes.map((type) => html`<span>${t.changeTypes[type]}</span>`)}</p>
${claim(t, locale, change.evidence.length, markup.changes[i])}</section>`,
)}</section>
${
  notablePoints.length === 0
    ? ''
    : html`<section><h2 lang="${locale}">${t.notablePoints}</h2>
${notablePoints.map(
  (point, i) => html`<section class="claim"><p class="tags" lang="${locale}">${point.categories.map(
    (category) => html`<span>${t.categories[category]}</span>`,
  )}</p>
${claim(t, locale, point.evidence.length, markup.points[i])}</section>`,
)}</section>`
}`
}

function claim(t: Texts, locale: string, count: number, { text, proofs } = EMPTY): SafeHtml {
  if (count === 0) return html.raw`${text}`
  return html.raw`${text}<details lang="${locale}"><summary>${html`${t.evidence(count)}`}</summary>
${proofs}</details>`
}

function coverage(
  { locale }: Visit,
  { coverage: read, generator, summaryGeneratedAt, headSha }: StoredContent,
): SafeHtml {
  const t = texts[locale]
  return html`<footer class="made" lang="${locale}"><h2>${t.aboutArticle}</h2>
<p>${t.filesRead(read.read, read.partlyRead, read.skipped + read.notListed, read.changedFiles)} ${t.claimsDropped(read.claimsDropped)}</p>
${filesNotRead(t, read)}
<p class="small">${generator.kind === 'model' ? t.byModel(generator.model ?? '') : t.byOutline} <time datetime="${summaryGeneratedAt}">${timeLabel(summaryGeneratedAt, locale)}</time> · <code>${headSha.slice(0, 10)}</code></p>
</footer>`
}

/** Lists the files that were skipped or read only in part, with the reason. */
function filesNotRead(t: Texts, { files }: StoredContent['coverage']): SafeHtml {
  const missed = files.filter((file) => file.reason !== null)
  if (missed.length === 0) return html``
  const shown = missed.slice(0, MAX_FILES)
  return html`<details><summary>${t.filesNotFullyRead(missed.length)}</summary><ul>${shown.map(
    ({ path, reason }) => html`<li><code>${visibleLine(path)}</code> ${reason ? t.reasons[reason] : ''}</li>`,
  )}</ul>${missed.length > MAX_FILES ? html`<p class="small">… +${String(missed.length - MAX_FILES)}</p>` : ''}</details>`
}
