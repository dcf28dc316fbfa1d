import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../../../writer/content.ts'
import { visibleLine } from '../../../writer/reading/visible.ts'
import { dateLabel } from '../format.ts'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'

const MAX_FILES = 30

/** How the article was made and what it is based on, in a section that the reader can open. */
export function aboutArticle(
  { locale }: Visit,
  { coverage: read, generator, summaryGeneratedAt, headSha }: StoredContent,
): SafeHtml {
  const t = texts[locale]
  return html`<details class="about" lang="${locale}"><summary>${t.aboutArticle}</summary>
<p>${generator.kind === 'model' ? t.byModel(generator.model ?? '') : t.byOutline} <time datetime="${summaryGeneratedAt}">${dateLabel(summaryGeneratedAt, locale)}</time> · <code>${headSha.slice(0, 10)}</code></p>
<p>${t.filesRead(read.read, read.partlyRead, read.skipped + read.notListed, read.changedFiles)} ${t.claimsDropped(read.claimsDropped)}</p>
${filesNotRead(t, read)}</details>`
}

/** Lists the files that were skipped or read only in part, with the reason. */
function filesNotRead(t: Texts, { files }: StoredContent['coverage']): SafeHtml {
  const missed = files.filter((file) => file.reason !== null)
  if (missed.length === 0) return html``
  const entries = missed.slice(0, MAX_FILES)
  return html`<p>${t.filesNotFullyRead(missed.length)}</p><ul>${entries.map(
    ({ path, reason }) =>
      html`<li><code class="long">${visibleLine(path)}</code> ${reason ? t.reasons[reason] : ''}</li>`,
  )}</ul>${missed.length > MAX_FILES ? html`<p class="small">… +${String(missed.length - MAX_FILES)}</p>` : ''}`
}
