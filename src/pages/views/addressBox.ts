import { html, type SafeHtml } from '@remix-run/html-template'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'

/** Where somebody names the pull request they want to read about, with what they named last. */
export function addressBox({ locale, form, query, webOrigin }: Visit, warning?: string): SafeHtml {
  const t = texts[locale]
  const given = form['address'] ?? query['address'] ?? ''
  return html`<form method="post" action="/read/open" class="open">
${warning === undefined ? '' : html`<p class="warning" role="alert">${warning}</p>`}
<label for="address">${t.address}</label>
<div class="row"><input id="address" name="address" inputmode="url" required maxlength="500" placeholder="${webOrigin}/owner/repo/pull/1" value="${given}" autocapitalize="off" spellcheck="false"><button>${t.read}</button></div>
</form>`
}
