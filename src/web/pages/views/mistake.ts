import { html } from '@remix-run/html-template'
import type { Context } from '../../../context.ts'
import { type ArticleText, readArticleText } from '../../../domain/articles/read.ts'
import { reportMistake } from '../../../domain/mistakes/reportMistake.ts'
import {
  isWithinLimits,
  MAX_CHARACTERS,
  type ReportMistakeRequest,
  storable,
} from '../../../domain/mistakes/reportText.ts'
import { Problem, statusOf } from '../../../errors.ts'
import { titleHtml, titleText } from '../../../writer/render/renderMarkdown.ts'
import { mistakeAddress, pageAddress } from '../addresses.ts'
import { texts } from '../locale.ts'
import { type Page, type PageHandler, requireId, requireViewer, type Visit } from '../page.ts'
import { signInPath } from '../wish.ts'
import { preferredLanguages } from './article.ts'

type Fields = Required<ReportMistakeRequest>

/** The form to report a mistake in an article, or thanks after it was sent. */
export const mistake: PageHandler = async (visit, ctx) => {
  if (!visit.viewer) return { to: signInPath(visit.path) }
  const article = await readArticle(visit, ctx)
  return visit.query['sent'] === undefined ? formPage(visit, article) : thanksPage(visit, article)
}

/** Sends a report of a mistake. If that fails, the form keeps the input and shows the reason. */
export const sendMistake: PageHandler = async (visit, ctx) => {
  const viewer = requireViewer(visit)
  const article = await readArticle({ ...visit, query: visit.form }, ctx)
  const { id: articleId, language } = article
  const typed = { description: storable(visit.form['description'] ?? ''), quote: storable(visit.form['quote'] ?? '') }
  const { mistakes: t } = texts[visit.locale]
  const refuse = (status: number, warning: string) => ({ ...formPage(visit, article, { ...typed, warning }), status })
  if (!isWithinLimits(typed))
    return refuse(statusOf.VALIDATION_ERROR, t.invalid(MAX_CHARACTERS.description, MAX_CHARACTERS.quote))
  try {
    await reportMistake(ctx, viewer, { articleId, language }, typed)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'QUOTA_EXCEEDED') throw error
    return refuse(statusOf.QUOTA_EXCEEDED, t.tooMany)
  }
  return { to: `${mistakeAddress(articleId, language)}&sent=yes` }
}

function readArticle(visit: Visit, ctx: Context): Promise<ArticleText> {
  return readArticleText(ctx, visit.viewer, requireId(visit.params['articleId']), preferredLanguages(visit))
}

function formPage(visit: Visit, article: ArticleText, typed?: Fields & { warning: string }): Page {
  const { mistakes: t, backToArticle } = texts[visit.locale]
  const { id, language, content } = article
  const path = mistakeAddress(id, language)
  return {
    title: `${t.report}: ${titleText(content.aiGeneratedTitle)}`,
    isPrivate: true,
    body: html`<h1>${t.report}</h1>
<p><a href="${pageAddress(id, language)}" lang="${language}">${titleHtml(content.aiGeneratedTitle)}</a></p>
<p>${t.help}</p>
${typed ? html`<p class="warning" role="alert">${typed.warning}</p>` : ''}
<form method="post" action="/read/articles/${id}/mistake"><input type="hidden" name="language" value="${language}"><input type="hidden" name="to" value="${path}">
<p><label for="description">${t.description}</label>
<textarea id="description" name="description" required maxlength="${String(MAX_CHARACTERS.description)}" rows="6" aria-describedby="description-help">${typed?.description ?? ''}</textarea>
<span id="description-help" class="small">${t.descriptionHelp}</span></p>
<p><label for="quote">${t.quote}</label>
<textarea id="quote" name="quote" maxlength="${String(MAX_CHARACTERS.quote)}" rows="3" aria-describedby="quote-help">${typed?.quote ?? ''}</textarea>
<span id="quote-help" class="small">${t.quoteHelp}</span></p>
<p><button>${t.send}</button></p></form>
<p><a href="${pageAddress(id, language)}">${backToArticle}</a></p>`,
  }
}

function thanksPage({ locale }: Visit, { id, language }: ArticleText): Page {
  const { mistakes: t, backToArticle } = texts[locale]
  return {
    title: t.thanks,
    isPrivate: true,
    body: html`<div role="status"><h1>${t.thanks}</h1>
<p>${t.sent}</p></div>
<p><a class="button quiet" href="${pageAddress(id, language)}">${backToArticle}</a></p>`,
  }
}
