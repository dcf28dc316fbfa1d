import { html, type SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../../generated/api.ts'
import { NOTABLE_SCORE } from '../../../domain/merges/score.ts'
import type { WithoutUrl } from '../../../lib/withoutUrl.ts'
import { titleHtml, webAddress } from '../../../writer/render/renderMarkdown.ts'
import { pageAddress } from '../addresses.ts'
import { texts } from '../locale.ts'
import { readerLanguage, type Visit } from '../page.ts'
import { signInPath } from '../wish.ts'
import { errorText } from './error.ts'
import { dateOf, timeOf } from './pullState.ts'

type Merge = WithoutUrl<components['schemas']['Merge']>
type MergeFactor = components['schemas']['MergeFactor']

/** A merged pull request: what became of it, why, and a way to have an article written anyway. */
export function mergeItem(visit: Visit, merge: Merge): SafeHtml {
  const { articleId, prNumber, repositoryFullName } = merge
  const address = articleId
    ? pageAddress(articleId, readerLanguage(visit))
    : `/read/pulls/${repositoryFullName}/${String(prNumber)}`
  return html`<li><div><a class="title" href="${address}" lang="und" dir="auto">${titleHtml(merge.title)}</a>
${facts(visit, merge)}
${outcome(visit, merge)}
${score(visit, merge)}</div>
${articleId ? '' : writeForm(visit, merge)}</li>
`
}

function facts({ locale }: Visit, merge: Merge): SafeHtml {
  const t = texts[locale]
  return html`<ul class="facts"><li class="state ${merge.status}">${t.merges.states[merge.status]}</li>
<li><a href="${webAddress(merge.hostPrUrl)}" rel="external">#${String(merge.prNumber)}</a></li>
<li>${merge.authorLogin}</li>${merge.authorIsBot ? html`<li class="tag">${t.bot}</li>` : ''}
<li>${t.merged} ${dateOf(merge.mergedAt, locale)}</li>${merge.earlier ? html`<li class="tag">${t.merges.earlier}</li>` : ''}</ul>`
}

function outcome({ locale }: Visit, { status, reason, score, error, nextTryAt }: Merge): SafeHtml {
  const { merges: t, errors } = texts[locale]
  if (status === 'skipped') return reason ? html`<p>${t.reasons[reason](NOTABLE_SCORE)}</p>` : html``
  if (status === 'queued') return html`<p>${score === null ? t.unscored : t.queued}</p>`
  if (status === 'waiting') return html`<p>${t.waiting}</p>`
  if (status === 'written') return html``
  return html`<p>${errorText(errors, error?.code ?? '', error?.reason)}${nextTryAt ? html` ${t.nextTry} ${timeOf(nextTryAt, locale)}` : ''}</p>`
}

function score({ locale }: Visit, { score, factors }: Merge): SafeHtml {
  if (score === null) return html``
  const t = texts[locale].merges
  const parts = factors.map(
    (factor, i) => html`${i === 0 ? t.scoreColon : t.factorComma}${factorLabel(locale, factor)}`,
  )
  return html`<p class="small">${t.score(score)}${parts}</p>`
}

/** The text for a factor. The API's explanation, in English, is shown for factors that the page does not know yet. */
function factorLabel(locale: Visit['locale'], { name, count, points, text }: MergeFactor): SafeHtml {
  const { factors } = texts[locale].merges
  const template = Object.hasOwn(factors, name) ? factors[name] : undefined
  const label = typeof template === 'function' ? template(count ?? 0) : template
  const english = locale === 'en' ? text : html`<span lang="en">${text}</span>`
  return html`${label ?? english} (${points < 0 ? `−${-points}` : `+${points}`})`
}

function writeForm({ viewer, locale, path }: Visit, { status, repositoryFullName, prNumber }: Merge): SafeHtml {
  const t = texts[locale].merges
  const label = status === 'queued' || status === 'waiting' ? t.writeNow : t.writeAnyway
  const address = `${repositoryFullName}#${prNumber}`
  const name = `${label}: #${prNumber}`
  if (!viewer)
    return html`<p><a class="button quiet" href="${signInPath(path, { for: 'write', address })}" aria-label="${name}">${label}</a></p>`
  return html`<form method="post" action="/read/open"><input type="hidden" name="address" value="${address}"><button class="quiet" aria-label="${name}">${label}</button></form>`
}
