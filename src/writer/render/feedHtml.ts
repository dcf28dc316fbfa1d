import { html } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'
import { articleParts } from './articleParts.ts'
import { withEvidencePage } from './citationLinks.ts'
import { feedView } from './feedView.ts'
import { labelsFor } from './labels.ts'
import { phraseWith } from './renderMarkdown.ts'

/** The maximum size of an entry, because a feed holds up to 50 entries. */
const MAX_BYTES = 20_000
const ARTICLE_PAGE = 'article:'

interface Subject {
  content: StoredContent
  language: string
  hostPrUrl: string
}

/** The HTML for feeds. A link to the article takes the place of the parts that do not fit. */
export function feedHtmlOf({ content, language, hostPrUrl }: Subject): string {
  const labels = labelsFor(language)
  const view = feedView(labels, phraseWith(new URL(hostPrUrl).host))
  let left = MAX_BYTES
  const parts = articleParts(content, language, hostPrUrl, view).map((part) => String(part.html))
  const fitting = parts.filter((part) => {
    left -= Buffer.byteLength(part)
    return left >= 0
  })
  const more = fitting.length < parts.length ? html`<p><a href="${ARTICLE_PAGE}">${labels.readMore}</a></p>` : ''
  return [...fitting, more].join('\n')
}

/** The stored HTML with absolute links instead of placeholders. */
export function feedHtmlFor(stored: string, { article, evidence }: { article: string; evidence: string }): string {
  const text = withEvidencePage(stored, evidence)
  return text.replace(`href="${ARTICLE_PAGE}"`, () => String(html`href="${article}"`))
}
