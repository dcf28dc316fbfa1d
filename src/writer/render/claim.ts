import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'
import type { Evidence } from '../evidence.ts'
import { withoutInvisible } from '../reading/visible.ts'
import type { Labels } from './labels.ts'
import { appended } from './renderMarkdown.ts'

type Basis = StoredContent['reasons'][number]['basis'] | null

/** Renders the texts of one article. */
export interface TextRenderers {
  labels: Labels
  /** Restricted Markdown as paragraphs. */
  prose: (text: string) => SafeHtml
  /** Restricted Markdown without a paragraph around it. */
  phrase: (text: string) => SafeHtml
  /** The numbers of citations as links. */
  cite: (evidence: Evidence[]) => SafeHtml
}

/** A text with the numbers of its citations and, where it does not rest on the diff, a mark. */
export function claim(
  text: string,
  { basis = null, evidence }: { basis?: Basis; evidence: Evidence[] },
  { prose, cite, labels }: TextRenderers,
): SafeHtml {
  return appended(prose(text), html`${basisMark(basis, labels)}${cite(evidence)}`)
}

function basisMark(basis: Basis, { bases }: Labels): SafeHtml {
  if (basis !== 'inferred' && basis !== 'general') return html``
  const { mark, title } = bases[basis]
  return html` <small class="basis" title="${title}">${mark}</small>`
}

/** The words of a person, in the language they were written in. */
export function quotation(quote: string, source: SafeHtml | string): SafeHtml {
  return html`<figure class="quote"><blockquote lang="und" dir="auto"><p>${withoutInvisible(quote)}</p></blockquote><figcaption>${source}</figcaption></figure>\n`
}
