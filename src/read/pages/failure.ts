import { html } from '@remix-run/html-template'
import { texts } from '../locale.ts'
import type { Page, Visit } from '../page.ts'

type Known = keyof (typeof texts)['ja']['failures']['title']

/** What a visitor is told who cannot be shown what they asked for. */
export function failurePage(visit: Visit, status: number): Page {
  const { failures, signIn } = texts[visit.locale]
  const known = (status in failures.title ? status : status < 500 ? 400 : 500) as Known
  return {
    status,
    title: failures.title[known],
    body: html`<section class="failure">
<h1>${failures.title[known]}</h1>
<p>${failures.lead[known]}</p>
<p>${
      status === 401
        ? html`<a class="button" href="/sign-in?to=${encodeURIComponent(visit.path)}">${signIn}</a>`
        : html`<a class="button" href="/read">${failures.home}</a>`
    }</p>
<p class="small">${failures.request}: <code>${visit.requestId}</code></p>
</section>`,
  }
}
