import { html, type SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../../generated/api.ts'
import { TOKEN_NAME } from '../../../domain/accounts/apiTokens.ts'
import { dateLabel } from '../format.ts'
import { texts } from '../locale.ts'
import type { Page, Visit } from '../page.ts'

type ApiToken = components['schemas']['ApiToken']

/** The choices of the form. */
export const SCOPES = ['read', 'write'] as const satisfies ApiToken['scopes']
export const LIFETIME_DAYS = [30, 90, 365]

/** The form to create a token: the name that was sent, and why no token was created. */
export interface TokenForm {
  name: string
  warning: string
}

/** The API tokens of the user, with a form that creates another. */
export function tokensSection({ locale }: Visit, tokens: ApiToken[], refused: TokenForm | undefined, now: Date) {
  const { tokens: t } = texts[locale]
  return html`<section aria-labelledby="tokens"><h2 id="tokens">${t.title}</h2>
<p>${t.help}</p>
${tokens.length === 0 ? html`<p class="empty">${t.none}</p>` : html`<ul class="list">${tokens.map((token) => tokenItem(locale, token, now))}</ul>`}
<form method="post" action="/read/me/tokens#tokens">
${refused ? html`<p class="warning" role="alert">${refused.warning}</p>` : ''}
<p><label for="token-name">${t.name}</label><input id="token-name" name="name" required maxlength="${String(TOKEN_NAME.maxLength)}" value="${refused?.name ?? ''}" autocomplete="off" aria-describedby="token-name-help">
<span id="token-name-help" class="small">${t.nameHelp}</span></p>
<p><label for="token-scope">${t.scope}</label><select id="token-scope" name="scope">${SCOPES.map((scope) => html`<option value="${scope}">${t.scopes[scope]}</option>`)}</select></p>
<p><label for="token-days">${t.expiry}</label><select id="token-days" name="days">${LIFETIME_DAYS.map((days) => html`<option value="${String(days)}">${t.days(days)}</option>`)}</select></p>
<p><button class="quiet">${t.create}</button></p></form>
</section>`
}

function tokenItem(locale: Visit['locale'], { id, name, scopes, expiresAt }: ApiToken, now: Date): SafeHtml {
  const { tokens: t } = texts[locale]
  const isExpired = new Date(expiresAt) <= now
  return html`<li><div><span dir="auto">${name}</span>
<p class="meta"><span>${t.scopes[scopes.includes('write') ? 'write' : 'read']}</span> <span>${isExpired ? t.expired : t.expires} <time datetime="${expiresAt}">${dateLabel(expiresAt, locale)}</time></span></p></div>
<form method="post" action="/read/me/tokens/revoke"><input type="hidden" name="id" value="${id}"><button class="quiet" aria-label="${t.revokeNamed(name)}">${t.revoke}</button></form></li>`
}

/** Shows a new token, this once. A page of its own, because the user's page could fail while it calls the code host. */
export function newTokenPage({ locale }: Visit, token: string): Page {
  const { tokens: t, copied, errors } = texts[locale]
  return {
    title: t.newToken,
    isPrivate: true,
    body: html`<h1>${t.newToken}</h1>
<p role="status">${t.created}</p>
<div class="share"><label for="new-token">${t.newToken}</label>
<div class="row"><input id="new-token" readonly value="${token}" autocomplete="off" spellcheck="false"><button type="button" class="quiet" name="copy" data-done="${copied}" hidden>${t.copy}</button></div>
<p class="small" role="status"></p></div>
<p><a class="button quiet" href="/read/me#tokens">${errors.back}</a></p>`,
  }
}
