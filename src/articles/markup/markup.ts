import { html, type SafeHtml } from '@remix-run/html-template'
import type { PullRequestDocument } from '../../pulls/document.ts'
import type { StoredContent } from '../content.ts'
import { visibleLine } from '../reading/visible.ts'
import { type Excerpt, type Excerpts, excerptsOf } from './excerpts.ts'
import { prose, webAddress } from './prose.ts'

type Claim = { text: string; evidence: Evidence[] }
type Evidence = StoredContent['mainChanges'][number]['evidence'][number]

/** What pages show of a text, as HTML, in which nothing can load or run anything. */
export interface Markup {
  /** When the text was written: a row may hold the markup of a former one. */
  of: string
  background: string
  changes: ClaimMarkup[]
  points: ClaimMarkup[]
}

export interface ClaimMarkup {
  text: string
  /** The lines of the diff that prove it. */
  proofs: string
}

/**
 * Made once, when a text is stored: it costs ten times as much as to send it, and the diff may be a newer one by the
 * time somebody reads.
 */
export function markupOf(content: StoredContent, pull: Pick<PullRequestDocument, 'files' | 'diff'>): Markup {
  return markupWith(content, excerptsOf(content, pull))
}

export function markupWith(content: StoredContent, excerpts: Excerpts): Markup {
  const claim = ({ text, evidence }: Claim) => ({ text: String(prose(text)), proofs: proofs(evidence, excerpts) })
  return {
    of: content.summaryGeneratedAt,
    background: String(prose(content.backgroundAndPurpose ?? '')),
    changes: content.mainChanges.map(({ description, evidence }) => claim({ text: description, evidence })),
    points: content.notablePoints.map(({ point, evidence }) => claim({ text: point, evidence })),
  }
}

function proofs(evidence: Evidence[], excerpts: Excerpts): string {
  return evidence
    .map((one) => {
      const excerpt = excerpts[one.url]
      return html`<figure><figcaption><a href="${webAddress(one.url)}" rel="external"><code>${visibleLine(one.path)}</code>${linesLabel(one)}</a></figcaption>${excerpt ? diffLines(excerpt) : ''}</figure>`
    })
    .join('\n')
}

function linesLabel({ startLine, endLine }: Evidence): string {
  if (startLine === null) return ''
  return startLine === endLine ? ` :${startLine}` : ` :${startLine}–${endLine}`
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'kept' }

function diffLines({ lines, more }: Excerpt): SafeHtml {
  return html`<pre class="diff" tabindex="0" dir="ltr">${lines.map(
    ({ sign, number, text }) =>
      html`<span class="${KINDS[sign]}"><span class="number">${String(number)}</span>${sign}${visibleLine(text)}\n</span>`,
  )}</pre>${more > 0 ? html`<p class="small">… +${String(more)}</p>` : ''}`
}
