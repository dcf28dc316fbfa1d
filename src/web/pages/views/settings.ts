import { html, type SafeHtml } from '@remix-run/html-template'
import type { Context } from '../../../context.ts'
import { isGitHubApp } from '../../../domain/accounts/oauth.ts'
import { languageLabel } from '../format.ts'
import { hostAddress } from '../hostAddress.ts'
import { LOCALES, texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'

/** Languages that a model writes well. Users can choose others with the API. */
const OFFERED_LANGUAGES = 'zh ko es fr de pt it ru uk pl nl cs sv da fi tr el he ar fa hi bn id vi th'.split(' ')

/** The language that articles are written in for the user. */
export function languageSection({ locale }: Visit, chosen: string, hasModel: boolean): SafeHtml {
  const t = texts[locale]
  const codes = new Set([chosen, ...LOCALES, ...(hasModel ? OFFERED_LANGUAGES : [])])
  const options = [...codes].map((code) => [code, languageLabel(code, locale)] as const)
  return html`<section aria-labelledby="language"><h2 id="language">${t.articleLanguage}</h2>
<form method="post" action="/read/me/language"><label for="chosen">${t.articleLanguageHelp}</label>
<div class="row"><select id="chosen" name="language">${options.map(
    ([code, label]) => html`<option value="${code}" ${code === chosen ? html`selected` : ''}>${label}</option>`,
  )}</select><button class="quiet">${t.change}</button></div></form>
</section>`
}

/** The user's own feed. */
export function atomSection({ locale, origin }: Visit, key: string | undefined): SafeHtml {
  const t = texts[locale]
  return html`<section aria-labelledby="atom"><h2 id="atom">${t.ownFeed}</h2>
<p>${t.ownFeedHelp}</p>
${key ? html`<p><a href="/feeds/favorites/${key}"><code>${origin}/feeds/favorites/${key}</code></a></p>` : ''}
<form method="post" action="/read/feed"><button class="quiet">${key ? t.resetFeed : t.createFeed}</button></form>
</section>`
}

/** How to grant private access: for a GitHub App on the code host, for an OAuth app by signing in again. */
export function privateAccessSection(t: Texts, ctx: Context): SafeHtml | '' {
  const { oauth, webUrl } = ctx.config.codeHost
  if (!oauth) return ''
  const isApp = isGitHubApp(oauth)
  const button = isApp
    ? html`<a class="button quiet" href="${hostAddress(ctx, 'settings/installations')}" rel="external">${t.manageInstallations(webUrl.host)}</a>`
    : html`<a class="button quiet" href="/sign-in/host?access=private&amp;to=/read/me">${t.grantPrivateAccess}</a>`
  return html`<section aria-labelledby="private"><h2 id="private">${t.privateAccess}</h2>
<p>${isApp ? t.privateAppAccessHelp : t.privateAccessHelp} ${t.privateContentShown}</p>
<p>${button}</p>
</section>`
}

export function deleteAccountSection(t: Texts): SafeHtml {
  return html`<section aria-labelledby="leave"><h2 id="leave">${t.deleteAccount}</h2>
<p>${t.deleteAccountHelp}</p>
<form method="post" action="/read/leave"><label class="check"><input type="checkbox" name="sure" value="yes" required> ${t.deleteAccountConfirm}</label> <button class="quiet">${t.deleteAccount}</button></form>
</section>`
}
