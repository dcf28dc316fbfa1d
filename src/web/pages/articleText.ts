import { html } from '@remix-run/html-template'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/accounts/session.ts'
import { articleNotFound } from '../../domain/articles/problems.ts'
import { readArticlePage, readArticleText } from '../../domain/articles/read.ts'
import { renewMarkup } from '../../domain/articles/renewMarkup.ts'
import { articleMarkdown } from '../../writer/render/articleMarkdown.ts'
import { withEvidencePage } from '../../writer/render/citationLinks.ts'
import { storedMarkup } from '../../writer/render/markup.ts'
import { titleHtml, titleText } from '../../writer/render/renderMarkdown.ts'
import type { Preferences } from '../api/articleFormat.ts'
import type { Text } from '../api/handler.ts'
import { evidenceAddress, pageAddress } from './addresses.ts'
import { factsOf } from './articleFacts.ts'
import { stylesheet } from './assets.ts'
import { PAGE_POLICY } from './sendPage.ts'

interface Wanted extends Preferences {
  articleId: string
  /** The only language that will do. */
  language: string | undefined
  origin: string
}

/** The response with an article in one language as Markdown or HTML, as readers see it. */
export async function articleText(ctx: Context, viewer: Viewer | undefined, wanted: Wanted) {
  const { articleId, language, languages, format, origin } = wanted
  const inOrder = [language, viewer?.user.language, ...languages].filter((code) => code !== undefined)
  const isHtml = format === 'text/html'
  const text = isHtml
    ? await htmlOf(ctx, viewer, articleId, inOrder, origin)
    : await markdownOf(ctx, viewer, articleId, inOrder)
  if (language !== undefined && text.language !== language) throw articleNotFound()
  const body: Text = { text: text.document, type: isHtml ? 'text/html' : 'text/markdown' }
  const headers = { 'Content-Language': text.language, ...(isHtml && { 'Content-Security-Policy': PAGE_POLICY }) }
  return { status: 200 as const, body, headers }
}

async function markdownOf(ctx: Context, viewer: Viewer | undefined, articleId: string, languages: string[]) {
  const article = await readArticleText(ctx, viewer, articleId, languages)
  const { language, content, is_stale: stale } = article
  return { language, document: articleMarkdown(factsOf(article), { ...content, stale }, language) }
}

async function htmlOf(
  ctx: Context,
  viewer: Viewer | undefined,
  articleId: string,
  languages: string[],
  origin: string,
) {
  const page = await readArticlePage(ctx, viewer, articleId, languages)
  const { id, language, content } = page
  const outdated = { articleId: id, language, content, hostPrUrl: page.host_url, markup: page.markup }
  const markup = storedMarkup(page.markup, content) ?? (await renewMarkup(ctx, viewer, outdated)).markup
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="canonical" href="${origin}${pageAddress(id, language)}">
<title>${titleText(content.aiGeneratedTitle)}</title>
<link rel="stylesheet" href="${origin}${stylesheet.address}">
</head>
<body><main><article lang="${language}">
<h1>${titleHtml(content.aiGeneratedTitle)}</h1>
<p><a href="${page.host_url}">${page.owner}/${page.name}#${String(page.number)}</a></p>
${html.raw`${withEvidencePage(markup.body, `${origin}${evidenceAddress(id, language)}`)}`}
</article></main></body>
</html>
`
  return { language, document: String(document) }
}
