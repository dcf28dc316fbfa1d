import { html, type SafeHtml } from '@remix-run/html-template'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'

/** The form for a pull request URL, filled with the previous input. */
export function addressBox({ locale, form, query, webOrigin }: Visit, warning?: string): SafeHtml {
  const t = texts[locale]
  const previous = form['address'] ?? query['address'] ?? ''
  return html`<form method="post" action="/read/open" class="open">
${warning === undefined ? '' : html`<p class="warning" role="alert">${warning}</p>`}
<label for="address">${t.address}</label>
<div class="row"><input id="address" name="address" inputmode="url" required maxlength="500" placeholder="${pullExample(webOrigin)}" value="${previous}" autocapitalize="off" spellcheck="false"><button>${t.read}</button></div>
</form>`
}

export function pullExample(webOrigin: string): string {
  return `${webOrigin}/owner/repo/pull/1`
}
