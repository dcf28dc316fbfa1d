import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'
import { visibleLine } from '../reading/visible.ts'
import type { Excerpt, Excerpts } from './excerpts.ts'
import { proseWith, webAddress } from './renderMarkdown.ts'

type Claim = { text: string; evidence: Evidence[] }
type Evidence = StoredContent['mainChanges'][number]['evidence'][number]

/** To be raised whenever the same text would be shown otherwise. */
const VERSION = 3

/** What pages show of a text, as HTML, in which nothing can load or run anything. */
export interface Markup {
  /** Which markup of which text: a row may hold that of a former one, or an older kind. */
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

/** Made once, when a text is stored: it costs more than all else that a page is made of. */
export function markupOf(content: StoredContent, excerpts: Excerpts, hostPrUrl: string): Markup {
  const prose = proseWith(new URL(hostPrUrl).host)
  const claim = ({ text, evidence }: Claim) => ({ text: String(prose(text)), proofs: proofs(evidence, excerpts) })
  return {
    of: markupName(content),
    background: String(prose(content.backgroundAndPurpose ?? '')),
    changes: content.mainChanges.map(({ description, evidence }) => claim({ text: description, evidence })),
    points: content.notablePoints.map(({ point, evidence }) => claim({ text: point, evidence })),
  }
}

/** As stored with the text, where it still is what would be made now. */
export function storedMarkup(text: string | null, content: StoredContent): Markup | undefined {
  const markup: Markup | undefined = text === null ? undefined : JSON.parse(text)
  return markup?.of === markupName(content) ? markup : undefined
}

export function markupName({ summaryGeneratedAt }: Pick<StoredContent, 'summaryGeneratedAt'>): string {
  return `${VERSION} ${summaryGeneratedAt}`
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
