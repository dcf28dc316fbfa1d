import { html } from '@remix-run/html-template'
import { readEvidencePage } from '../../../domain/articles/read.ts'
import { renderEvidence } from '../../../domain/articles/renderEvidence.ts'
import { titleHtml, titleText } from '../../../writer/render/renderMarkdown.ts'
import { pageAddress } from '../addresses.ts'
import { texts } from '../locale.ts'
import { type PageHandler, requireId } from '../page.ts'
import { preferredLanguages } from './article.ts'

/** Shows the cited lines of an article. The script of the article's page loads them from here. */
export const evidence: PageHandler = async (visit, ctx) => {
  const articleId = requireId(visit.params['articleId'])
  const page = await readEvidencePage(ctx, visit.viewer, articleId, preferredLanguages(visit))
  const blocks = await renderEvidence(ctx, visit.viewer, page)
  const { language, content } = page
  const t = texts[visit.locale]
  return {
    title: `${t.evidence}: ${titleText(content.aiGeneratedTitle)}`,
    isPrivate: true,
    body: html`<h1>${t.evidence}</h1>
<p><a href="${pageAddress(page.id, language)}" lang="${language}">${titleHtml(content.aiGeneratedTitle)}</a></p>
<p class="small">${t.evidenceHelp}</p>
<div lang="${language}">${html.raw`${blocks}`}</div>
<p><a href="${pageAddress(page.id, language)}">${t.backToArticle}</a></p>`,
  }
}
