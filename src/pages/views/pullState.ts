import { html, type SafeHtml } from '@remix-run/html-template'
import { dateLabel } from '../format.ts'
import { type Locale, texts } from '../locale.ts'

interface PullState {
  state: 'open' | 'closed' | null
  draft: boolean | null
  mergedAt: string | Date | null
}

/** An item of a list of facts; nothing for pull requests that were stored before their state was. */
export function pullState({ state, draft, mergedAt }: PullState, locale: Locale): SafeHtml {
  const t = texts[locale]
  if (mergedAt)
    return html`<li class="merged">${t.merged} <time datetime="${new Date(mergedAt).toISOString()}">${dateLabel(mergedAt, locale)}</time></li>`
  return state ? html`<li>${t.states[state === 'open' && draft ? 'draft' : state]}</li>` : html``
}
