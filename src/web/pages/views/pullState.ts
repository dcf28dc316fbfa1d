import { html, type SafeHtml } from '@remix-run/html-template'
import { dateLabel, timeLabel } from '../format.ts'
import { type Locale, texts } from '../locale.ts'

interface PullState {
  state: 'open' | 'closed'
  draft: boolean
  mergedAt: string | Date | null
  openedAt: string | Date
}

/** Items of a list of facts: the state and a date. */
export function pullState({ state, draft, mergedAt, openedAt }: PullState, locale: Locale): SafeHtml {
  const t = texts[locale]
  if (mergedAt) return html`<li class="merged">${t.merged} ${dateOf(mergedAt, locale)}</li>`
  return html`<li>${stateLabel(state, draft, locale)}</li> <li>${t.opened} ${dateOf(openedAt, locale)}</li>`
}

export function stateLabel(state: 'open' | 'closed', draft: boolean, locale: Locale): string {
  return texts[locale].states[state === 'open' && draft ? 'draft' : state]
}

export function dateOf(time: string | Date, locale: Locale): SafeHtml {
  return html`<time datetime="${new Date(time).toISOString()}">${dateLabel(time, locale)}</time>`
}

/** A date with the time of day. */
export function timeOf(time: string | Date, locale: Locale): SafeHtml {
  return html`<time datetime="${new Date(time).toISOString()}" data-clock>${timeLabel(time, locale)}</time>`
}
