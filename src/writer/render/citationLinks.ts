import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'
import { type Evidence, evidenceOf } from '../evidence.ts'

/** The distinct citations of a text. The first has number 1. */
export function distinctCitations(content: StoredContent): Evidence[] {
  return [...new Map(evidenceOf(content).map((citation) => [citation.url, citation])).values()]
}

/**
 * Renders the numbers of citations as links. Their URLs begin with EVIDENCE_PAGE, because a text is rendered before it
 * has an id.
 */
export function citationLinks(
  content: StoredContent,
  label: (number: number) => string,
): (evidence: Evidence[]) => SafeHtml {
  const numbers = new Map(distinctCitations(content).map(({ url }, i) => [url, i + 1]))
  return (evidence) => {
    const cited = [...new Set(evidence.map(({ url }) => numbers.get(url) ?? 0))]
    if (cited.length === 0) return html``
    const links = cited.map(
      (number, i) =>
        html`${i > 0 ? ' ' : ''}<a class="cite" href="${EVIDENCE_PAGE}#e${number}" aria-label="${label(number)}">${number}</a>`,
    )
    return html`${WORD_JOINER}<sup>${links}</sup>`
  }
}

const EVIDENCE_PAGE = 'evidence:'
/** Keeps the first number on the same line as the word before it. */
const WORD_JOINER = '\u2060'

/**
 * Replaces the placeholder EVIDENCE_PAGE in links to citations. The text of an article cannot contain it in this form,
 * because quotation marks in it are escaped.
 */
export function withEvidencePage(markup: string, address: string): string {
  const start = String(html`href="${address}#`)
  return markup.replaceAll(`href="${EVIDENCE_PAGE}#`, () => start)
}
