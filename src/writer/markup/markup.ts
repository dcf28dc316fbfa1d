import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'
import { visibleLine } from '../reading/visible.ts'
import type { Excerpt, Excerpts } from './excerpts.ts'
import { proseText, proseWith, webAddress } from './renderMarkdown.ts'

type Claim = { text: string; evidence: Evidence[] }
type Evidence = StoredContent['mainChanges'][number]['evidence'][number]

/** Increase it whenever the HTML of an unchanged text changes. */
const VERSION = 4
const MAX_SUMMARY_CHARACTERS = 160

/** The HTML of a text. It cannot load or run anything. */
export interface Markup {
  /** Identifies text and markup version, because a row may hold the markup of an older text or version. */
  of: string
  /** The beginning of the text, without markup. */
  summary: string
  background: string
  changes: ClaimMarkup[]
  points: ClaimMarkup[]
}

export interface ClaimMarkup {
  text: string
  /** HTML of the cited lines of the diff. */
  proofs: string
}

/** Rendered once when a text is stored, because it takes longer than the rest of a page. */
export function markupOf(content: StoredContent, excerpts: Excerpts, hostPrUrl: string): Markup {
  const prose = proseWith(new URL(hostPrUrl).host)
  const claim = ({ text, evidence }: Claim) => ({ text: String(prose(text)), proofs: proofs(evidence, excerpts) })
  return {
    of: markupName(content),
    summary: summaryOf(content),
    background: String(prose(content.backgroundAndPurpose ?? '')),
    changes: content.mainChanges.map(({ description, evidence }) => claim({ text: description, evidence })),
    points: content.notablePoints.map(({ point, evidence }) => claim({ text: point, evidence })),
  }
}

function summaryOf({ backgroundAndPurpose, mainChanges }: StoredContent): string {
  return proseText(backgroundAndPurpose ?? mainChanges[0]?.description ?? '', MAX_SUMMARY_CHARACTERS)
}

/** The stored markup, unless it belongs to an older text or markup version. */
export function storedMarkup(text: string | null, content: StoredContent): Markup | undefined {
  const markup: Markup | undefined = text === null ? undefined : JSON.parse(text)
  return markup?.of === markupName(content) ? markup : undefined
}

export function markupName({ summaryGeneratedAt }: Pick<StoredContent, 'summaryGeneratedAt'>): string {
  return `${VERSION} ${summaryGeneratedAt}`
}

function proofs(evidence: Evidence[], excerpts: Excerpts): string {
  return evidence
    .map((citation) => {
      const excerpt = excerpts[citation.url]
      return html`<figure><figcaption><a href="${webAddress(citation.url)}" rel="external"><code>${visibleLine(citation.path)}</code>${linesLabel(citation)}</a></figcaption>${excerpt ? diffLines(excerpt) : ''}</figure>`
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
