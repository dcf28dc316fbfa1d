import { html, type SafeHtml } from '@remix-run/html-template'
import { readArticlePage } from '../../../domain/articles/read.ts'
import { renewMarkup } from '../../../domain/articles/renewMarkup.ts'
import { languageWritten } from '../../../domain/articles/textKey.ts'
import type { ListedArticle } from '../../../domain/lists/articlesPage.ts'
import { relatedArticles } from '../../../domain/lists/relatedArticles.ts'
import { withEvidencePage } from '../../../writer/render/citationLinks.ts'
import { storedMarkup } from '../../../writer/render/markup.ts'
import { titleText } from '../../../writer/render/renderMarkdown.ts'
import { evidenceAddress, pageAddress } from '../addresses.ts'
import { repositoryFeedPath } from '../feedPaths.ts'
import { texts } from '../locale.ts'
import { languageIn, type PageHandler, readerLanguage, requireId, type Visit } from '../page.ts'
import { aboutArticle } from './aboutArticle.ts'
import { articleHead } from './articleHead.ts'
import { articleList } from './articleList.ts'
import { shareSection } from './share.ts'

/** Shows an article. Its text is HTML already: see `markupOf`. */
export const article: PageHandler = async (visit, ctx) => {
  const articleId = requireId(visit.params['articleId'])
  const page = await readArticlePage(ctx, visit.viewer, articleId, preferredLanguages(visit))
  const { language, content } = page
  const outdated = { articleId, language, content, hostPrUrl: page.host_url, markup: page.markup }
  const markup = storedMarkup(page.markup, content) ?? (await renewMarkup(ctx, visit.viewer, outdated)).markup
  const ownLanguage = languageWritten(ctx, readerLanguage(visit))
  const { owner, name } = page
  const feed = page.private ? undefined : { title: `${owner}/${name}`, path: repositoryFeedPath(owner, name) }
  return {
    title: titleText(content.aiGeneratedTitle),
    description: markup.summary,
    canonical: pageAddress(page.id, language),
    isPrivate: page.private,
    languages: page.languages.map((code) => [code, pageAddress(page.id, code)]),
    feed,
    body: html`<article lang="${language}" data-address="${visit.origin}/read/articles/${page.id}">
${articleHead(visit, page, markup.minutes, ownLanguage)}
${html.raw`${withEvidencePage(markup.body, evidenceAddress(page.id, language))}`}
${aboutArticle(visit, content)}
</article>
${shareSection(visit, page, feed)}
${relatedSection(visit, await relatedArticles(ctx, visit.viewer, page, readerLanguage(visit)))}`,
  }
}

function relatedSection(visit: Visit, related: ListedArticle[]): SafeHtml {
  if (related.length === 0) return html``
  return html`<section class="related" aria-labelledby="related-articles"><h2 id="related-articles">${texts[visit.locale].related}</h2>
${articleList(visit, related)}</section>`
}

/** Languages to try, in this order: requested, the user's, the page's, any. */
export function preferredLanguages({ query, viewer, locale }: Visit): string[] {
  const wanted = [languageIn(query), viewer?.user.language, locale, 'ja', 'en']
  return wanted.filter((code) => code !== undefined)
}
