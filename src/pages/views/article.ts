import { html, type SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../generated/api.ts'
import { languageWritten } from '../../articles/generate.ts'
import { readArticlePage } from '../../articles/read.ts'
import { renewMarkup } from '../../articles/renewMarkup.ts'
import { type ClaimMarkup, type Markup, storedMarkup } from '../../writer/markup/markup.ts'
import { proseText, titleHtml, titleText, webAddress } from '../../writer/markup/renderMarkdown.ts'
import { visibleLine } from '../../writer/reading/visible.ts'
import { languageLabel, timeLabel } from '../format.ts'
import { texts } from '../locale.ts'
import { languageIn, type PageHandler, requireId, type Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { addressOf } from './open.ts'

type Article = components['schemas']['PullRequestArticle']
type Content = components['schemas']['ArticleContent']

interface Shown {
  language: string
  /** The reader's own language. */
  ownLanguage: string
  isLiked: boolean
}

const MAX_FILES = 30
const EMPTY: ClaimMarkup = { text: '', proofs: '' }

/** Shows an article with its evidence and the files it is based on. */
export const article: PageHandler = async (visit, ctx) => {
  const articleId = requireId(visit.params['articleId'])
  const read = await readArticlePage(ctx, visit.credential, articleId, preferredLanguages(visit))
  const { article: found, language, isPrivate, isLiked } = read
  const content = found.contents[language] as Content
  const outdated = { articleId, language, content, hostPrUrl: found.hostPrUrl, markup: read.markup }
  const markup = storedMarkup(read.markup, content) ?? (await renewMarkup(ctx, visit.viewer, outdated))
  return {
    title: titleText(content.aiGeneratedTitle),
    description: summaryOf(content),
    canonical: addressOf(found.id, language),
    isPrivate,
    languages: Object.keys(found.contents).map((code) => [code, addressOf(found.id, code)]),
    feed: `/feeds/repos/${found.repositoryFullName}`,
    body: html`<article lang="${language}" data-address="${visit.origin}/read/articles/${found.id}">
${head(visit, found, content, { language, ownLanguage: languageWritten(ctx, visit.viewer?.user.language ?? visit.locale), isLiked })}
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

function summaryOf({ backgroundAndPurpose, mainChanges }: Content): string {
  const text = backgroundAndPurpose ?? mainChanges[0]?.description ?? ''
  return proseText(text, 160)
}

function head(visit: Visit, found: Article, content: Content, { language, ownLanguage, isLiked }: Shown): SafeHtml {
  const t = texts[visit.locale]
  const { generator } = content
  return html`<header>
<p class="meta"><a href="${webAddress(found.hostPrUrl)}" rel="external">${found.repositoryFullName} #${found.prNumber}</a></p>
<h1>${titleHtml(content.aiGeneratedTitle)}</h1>
<p class="original" lang="und" dir="auto">${titleHtml(found.title)}</p>
<p class="byline" lang="${visit.locale}">${generator.kind === 'model' ? t.articleBy(generator.model ?? '', found.authorLogin) : t.outlineBy(found.authorLogin)}</p>
${content.stale ? html`<p class="warning" lang="${visit.locale}">${t.stale}</p>` : ''}
<div class="acts" lang="${visit.locale}">${likeButton(visit, found.id, language, content.likeCount, isLiked)}
<nav class="tabs" aria-label="${t.articleLanguage}">${Object.keys(found.contents).map((code) =>
    code === language
      ? html`<a href="?language=${code}" aria-current="page">${languageLabel(code, visit.locale)}</a>`
      : html`<a href="?language=${code}" hreflang="${code}">${languageLabel(code, visit.locale)}</a>`,
  )}</nav>${writeButton(visit, found, content, language, ownLanguage)}</div>
</header>`
}

/** Offers to write the article in the reader's language, or to update a stale one. */
function writeButton(
  visit: Visit,
  { contents, repositoryFullName, prNumber }: Article,
  { stale }: Content,
  language: string,
  ownLanguage: string,
): SafeHtml {
  const t = texts[visit.locale]
  const isMissing = !Object.hasOwn(contents, ownLanguage)
  if (!isMissing && !stale) return html``
  const wanted = isMissing ? ownLanguage : language
  const place = `${repositoryFullName}#${prNumber}`
  const label = isMissing ? t.writeIn(languageLabel(ownLanguage, visit.locale)) : t.updateArticle
  return visit.viewer
    ? html`<form class="wish" method="post" action="/read/open"><input type="hidden" name="address" value="${place}"><input type="hidden" name="language" value="${wanted}"><button class="quiet">${label}</button></form>`
    : html`<p class="wish"><a class="button quiet" href="/sign-in?to=${encodeURIComponent(visit.path)}">${label}</a></p>`
}

function likeButton(
  { viewer, locale, path }: Visit,
  articleId: string,
  language: string,
  count: number,
  isLiked: boolean,
): SafeHtml {
  const t = texts[locale]
  if (!viewer)
    return html`<p class="like"><a class="button quiet" href="/sign-in?to=${encodeURIComponent(path)}">${t.like} <span>${count}</span></a></p>`
  return html`<form class="like" method="post" action="/read/like">
<input type="hidden" name="articleId" value="${articleId}"><input type="hidden" name="language" value="${language}"><input type="hidden" name="to" value="${path}">
<button name="wish" value="${isLiked ? 'unlike' : 'like'}" aria-pressed="${String(isLiked)}">${t.like} <span>${count}</span></button>
</form>`
}

function claims({ locale }: Visit, { mainChanges, notablePoints }: Content, markup: Markup): SafeHtml {
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

function coverage({ locale }: Visit, { coverage: read, generator, summaryGeneratedAt, headSha }: Content): SafeHtml {
  const t = texts[locale]
  return html`<footer class="made" lang="${locale}"><h2>${t.aboutArticle}</h2>
<p>${t.filesRead(read.read, read.partlyRead, read.skipped + read.notListed, read.changedFiles)} ${t.claimsDropped(read.claimsDropped)}</p>
${filesNotRead(t, read)}
<p class="small">${generator.kind === 'model' ? t.byModel(generator.model ?? '') : t.byOutline} <time datetime="${summaryGeneratedAt}">${timeLabel(summaryGeneratedAt, locale)}</time> · <code>${headSha.slice(0, 10)}</code></p>
</footer>`
}

/** Lists the files that were skipped or read only in part, with the reason. */
function filesNotRead(t: Texts, { files }: Content['coverage']): SafeHtml {
  const missed = files.filter((file) => file.reason !== null)
  if (missed.length === 0) return html``
  const shown = missed.slice(0, MAX_FILES)
  return html`<details><summary>${t.filesNotFullyRead(missed.length)}</summary><ul>${shown.map(
    ({ path, reason }) => html`<li><code>${visibleLine(path)}</code> ${reason ? t.reasons[reason] : ''}</li>`,
  )}</ul>${missed.length > MAX_FILES ? html`<p class="small">… +${String(missed.length - MAX_FILES)}</p>` : ''}</details>`
}
