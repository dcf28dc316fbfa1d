import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'
import type { Evidence } from '../evidence.ts'
import { visibleLine } from '../reading/visible.ts'
import { distinctCitations } from './citationLinks.ts'
import { linesOf, type StoredExcerpts } from './evidenceLines.ts'
import { type Labels, labelsFor } from './labels.ts'
import { codeSpan, webAddress } from './renderMarkdown.ts'

interface Input {
  content: StoredContent
  language: string
  /** The stored excerpts as JSON; null if none are stored. */
  excerpts: string | null
}

type Lines = NonNullable<Evidence['lines']>

/** One block for each citation of a text, with the lines of the diff. The page of an article unfolds the same blocks. */
export function evidenceBlocks({ content, language, excerpts }: Input): string {
  const labels = labelsFor(language)
  const stored: StoredExcerpts = excerpts === null ? {} : JSON.parse(excerpts)
  const blocks = distinctCitations(content).map((citation, i) =>
    block({ ...citation, ...linesOf(citation, stored) }, i + 1, labels),
  )
  return blocks.join('')
}

function block(citation: Evidence, number: number, labels: Labels): SafeHtml {
  const { path, side, startLine, endLine, url, lines, linesOmitted = 0 } = citation
  const name = visibleLine(path)
  const place =
    startLine === null ? labels.wholeFile : `${labels[side]} ${labels.lines(startLine, endLine ?? startLine)}`
  const link = (label: SafeHtml | string) => html`<a href="${webAddress(url)}" rel="external">${label}</a>`
  const isMissing = !lines && startLine !== null
  return html`<figure class="evidence" id="e${number}"><figcaption><b>${number}</b> ${link(codeSpan(name))} <span>${place}</span></figcaption>${
    lines
      ? diffLines(lines, `${name} ${place}`, labels)
      : html`<p>${isMissing ? labels.noLines : ''} ${link(labels.onHost)}</p>`
  }${linesOmitted > 0 ? html`<p>${link(labels.moreOnHost(linesOmitted))}</p>` : ''}</figure>\n`
}

const SIGNS = { added: '+', removed: '-', kept: ' ' }

function diffLines(lines: Lines, name: string, labels: Labels): SafeHtml {
  const rows = lines.map(
    ({ change, oldNumber, newNumber, text }) =>
      html`<span class="${change}">${cell(oldNumber)}${cell(newNumber)}${SIGNS[change]} ${visibleLine(text)}\n</span>`,
  )
  const head = html`<span class="kept">${cell(labels.oldShort)}${cell(labels.newShort)}\n</span>`
  return html`<pre class="diff" tabindex="0" role="group" aria-label="${name}" dir="ltr"><code>${head}${rows}</code></pre>`
}

function cell(value: number | string | null): SafeHtml {
  return html`<span class="number">${value}</span>`
}
