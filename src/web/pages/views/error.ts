import { html } from '@remix-run/html-template'
import type { ErrorCode, ErrorDetails } from '../../../errors.ts'
import { texts } from '../locale.ts'
import type { Page, Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { addressBox } from './addressBox.ts'

export function errorPage(visit: Visit, status: number, code: ErrorCode, details?: ErrorDetails): Page {
  const t = texts[visit.locale]
  const { errors } = t
  const title = errors.title[titleOf(status)]
  const isServerError = status >= 500
  return {
    status,
    title,
    body: html`<section class="failure">
<h1>${title}</h1>
<p>${leadOf(t, visit, status, code, details?.reason)}</p>
${details?.authorizationUrl ? html`<p><a class="button" href="${details.authorizationUrl}">${errors.authorize}</a></p>` : ''}
${visit.form['address'] === undefined ? '' : addressBox(visit)}
<p>${
      status === 401
        ? html`<a class="button" href="/sign-in?to=${encodeURIComponent(visit.path)}">${t.signIn}</a>`
        : html`<a class="button quiet" href="${visit.path.startsWith('/read/me') ? '/read/me' : '/read'}">${errors.back}</a>`
    }</p>
${isServerError ? html`<p class="small">${errors.requestId}: <code>${visit.requestId}</code></p>` : ''}
</section>`,
  }
}

type TitleStatus = keyof Texts['errors']['title']
type LeadCode = keyof Texts['errors']['lead']

function titleOf(status: number): TitleStatus {
  if (status === 401 || status === 403 || status === 404 || status === 429) return status
  if (status >= 500) return status === 500 ? 500 : 503
  return 400
}

function leadOf({ errors }: Texts, { form }: Visit, status: number, code: string, reason?: string): string {
  if (status === 404) return form['address'] === undefined ? errors.lead.NOT_FOUND : errors.noSuchPull
  return errorText(errors, code, reason)
}

/** The error message for a reason or, if that is unknown, for a code. */
export function errorText({ lead, reasons }: Texts['errors'], code: string, reason = ''): string {
  if (Object.hasOwn(reasons, reason)) return reasons[reason as keyof typeof reasons]
  return Object.hasOwn(lead, code) ? lead[code as LeadCode] : lead.INTERNAL_SERVER_ERROR
}
