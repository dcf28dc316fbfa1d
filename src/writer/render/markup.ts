import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'
import { type ArticlePart, articleParts } from './articleParts.ts'
import type { IsChanged } from './changedLines.ts'
import { highlighter } from './highlight.ts'
import { labelsFor } from './labels.ts'
import { pageView } from './pageView.ts'
import { readingMinutes } from './readingTime.ts'
import { phraseWith, proseText } from './renderMarkdown.ts'

/** The version of the HTML. Increase it whenever the HTML of an unchanged text changes. */
const VERSION = 6
const MAX_SUMMARY_CHARACTERS = 160
const MIN_SECTIONS_WITH_CONTENTS = 4

/** The HTML of a text. It cannot load or run anything. */
export interface Markup {
  /** Identifies the text and the version of its HTML, because a row may hold the HTML of an older text or version. */
  of: string
  /** The beginning of the text, without markup. */
  summary: string
  minutes: number
  /** Links to citations still need the URL of their page: see `withEvidencePage`. */
  body: string
}

interface Subject {
  content: StoredContent
  language: string
  hostPrUrl: string
  isChanged: IsChanged
}

/** Renders a text once, when it is stored, because this takes longer than rendering the rest of a page. */
export async function markupOf({ content, language, hostPrUrl, isChanged }: Subject): Promise<Markup> {
  const labels = labelsFor(language)
  const phrase = phraseWith(new URL(hostPrUrl).host)
  const hasFigures = content.mainChanges.some(({ figures }) => figures.length > 0)
  // Do not wait for the highlighter if the text has no figures.
  const highlight = hasFigures ? await highlighter() : () => []
  const view = pageView({ labels, phrase, highlight, isChanged })
  const parts = articleParts(content, language, hostPrUrl, view)
  const first = parts.findIndex(({ id }) => id !== null)
  const hasContents = content.mainChanges.length >= MIN_SECTIONS_WITH_CONTENTS
  const contents = hasContents ? contentsOf(parts, labels.contents) : html``
  return {
    of: markupName(content),
    summary: proseText(content.lead?.text ?? '', MAX_SUMMARY_CHARACTERS),
    minutes: readingMinutes(content),
    body: String(html`${joined(parts.slice(0, first))}${contents}${joined(parts.slice(first))}`),
  }
}

function joined(parts: ArticlePart[]): SafeHtml {
  return html`${parts.map((part) => part.html)}`
}

function contentsOf(parts: ArticlePart[], label: string): SafeHtml {
  const items = parts.flatMap(({ id, heading }) =>
    id === null ? [] : [html`<li><a href="#${id}">${heading}</a></li>\n`],
  )
  return html`<nav class="contents" aria-labelledby="contents"><p id="contents">${label}</p><ol>\n${items}</ol></nav>\n`
}

/** The stored markup, unless it belongs to an older text or markup version. */
export function storedMarkup(text: string | null, content: StoredContent): Markup | undefined {
  const markup: Markup | undefined = text === null ? undefined : JSON.parse(text)
  return markup?.of === markupName(content) ? markup : undefined
}

export function markupName({ summaryGeneratedAt }: Pick<StoredContent, 'summaryGeneratedAt'>): string {
  return `${VERSION} ${summaryGeneratedAt}`
}
