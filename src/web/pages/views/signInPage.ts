import { html, type SafeHtml } from '@remix-run/html-template'
import type { Context } from '../../../context.ts'
import { isGitHubApp } from '../../../domain/accounts/oauth.ts'
import type { ErrorReason } from '../../../errors.ts'
import type { OAuthConfig } from '../../../runtime/config/config.ts'
import { isClosed, type SignUp } from '../../../runtime/config/signUp.ts'
import { hostAddress } from '../hostAddress.ts'
import { texts } from '../locale.ts'
import type { Page, Visit } from '../page.ts'
import { pathWith } from '../pathWith.ts'
import type { Texts } from '../texts/ja.ts'
import { returnPath, type Wish, wishFields, wishIn } from '../wish.ts'

/** Why a user may not sign in with any token. */
const REFUSALS = ['account_blocked', 'membership_required', 'sign_up_not_allowed'] as const satisfies ErrorReason[]
export type Refusal = (typeof REFUSALS)[number]

type Warning = 'signInTokenRefused' | 'signInIncomplete' | 'signInNeedsAccount' | 'signInNotRenewed' | Refusal

/** Says what signing in is needed for, and offers the way to sign in that the service is configured for. */
export function signInPage(visit: Visit, ctx: Context, warning?: Warning): Page {
  const t = texts[visit.locale]
  const fields = { ...visit.query, ...visit.form }
  const to = returnPath(fields['to'])
  const { oauth, webUrl } = ctx.config.codeHost
  const wish = wishIn(fields, webUrl)
  return {
    title: t.signInTitle,
    body: html`<section class="sign-in">
<h1>${t.signInTitle}</h1>
<p>${reasonOf(t, to, wish)}</p>
${whoMaySignUp(t, ctx.config.signUp)}
${warning ? html`<p class="warning" role="alert">${warningText(t, warning)}</p>` : ''}
${oauth ? hostLink(t, ctx, oauth, pathWith('/sign-in/host', { ...wishFields(wish), to })) : tokenForm(t, ctx, to, wish)}
<p><a href="${needsAccount(to) ? '/read' : to.replace(MISTAKE, '$1')}">${t.errors.back}</a></p>
</section>`,
  }
}

/**
 * The page after signing in, with the form of the visitor's wish. A script submits the form; without scripts, the
 * visitor presses its button.
 */
export function goOnPage({ locale }: Visit, wish: Wish): Page {
  const t = texts[locale]
  const button = { write: t.write, follow: t.follow, like: t.like }[wish.kind]
  return {
    title: t.signedIn,
    isPassing: true,
    isPrivate: true,
    body: html`<section class="sign-in">
<h1>${t.signedIn}</h1>
<form method="post" action="${wish.action}" data-go-on>${hidden(wish.fields)}${wish.about ? html`<p>${wish.about}</p>` : ''}<button>${button}</button></form>
</section>`,
  }
}

export function isRefusal(reason: Warning | ErrorReason | undefined): reason is Refusal {
  return REFUSALS.some((refusal) => refusal === reason)
}

function warningText(t: Texts, warning: Warning): string {
  return isRefusal(warning) ? t.errors.reasons[warning] : t[warning]
}

function whoMaySignUp({ signUp: t }: Texts, signUp: SignUp): SafeHtml[] {
  const { organizations, logins } = signUp
  if (signUp.isOpen) return []
  if (isClosed(signUp)) return [html`<p>${t.closed}</p>`]
  const members = organizations.length > 0 ? [t.members(organizations)] : []
  const who = html`<p>${t.only([...members, ...(logins.length > 0 ? [t.users(logins)] : [])])}</p>`
  return members.length > 0 ? [who, html`<p class="small">${t.membership}</p>`] : [who]
}

/** Matches the path of the form to report a mistake, which starts with the path of the article. */
const MISTAKE = /^(\/read\/articles\/[^/]+)\/mistake\b/

function reasonOf({ signInTo, mistakes }: Texts, to: string, wish: Wish | undefined): string {
  if (wish) return signInTo[wish.kind](wish.about)
  if (MISTAKE.test(to)) return mistakes.signIn
  return needsAccount(to) ? signInTo.see : signInTo.anything
}

function needsAccount(path: string): boolean {
  return /^\/read\/(me|writing)\b/.test(path)
}

function hostLink(t: Texts, { config }: Context, oauth: OAuthConfig, address: string): SafeHtml {
  return html`<p><a class="button" href="${address}">${t.signInWithHost(config.codeHost.webUrl.host)}</a></p>
<p>${isGitHubApp(oauth) ? t.signInAppPermissions : t.signInPermissions}</p>`
}

function tokenForm(t: Texts, ctx: Context, to: string, wish: Wish | undefined): SafeHtml {
  const { codeHost, oidc } = ctx.config
  const { host } = codeHost.webUrl
  const help = oidc
    ? t.signInIssuerHelp(new URL(oidc.issuer).host)
    : html`${t.signInTokenHelp(host)} <a href="${hostAddress(ctx, 'settings/tokens')}" rel="external">${t.makeToken(host)}</a>`
  return html`<form method="post" action="/sign-in">
${hidden({ ...wishFields(wish), to })}
<label for="token">${t.signInWithToken}</label>
<input id="token" name="token" type="password" required maxlength="4096" autocomplete="off" spellcheck="false" aria-describedby="token-help">
<p id="token-help">${help}</p>
<button>${t.signIn}</button>
</form>`
}

function hidden(fields: Record<string, string>): SafeHtml[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}
