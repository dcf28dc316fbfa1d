import { html } from '@remix-run/html-template'
import { begin, complete } from '../../accounts/oauth.ts'
import { signIn, signOut } from '../../accounts/signIn.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { Secret } from '../../lib/secret.ts'
import { texts } from '../locale.ts'
import { ownPath } from '../ownPath.ts'
import type { Page, PageHandler, Visit } from '../page.ts'

export const showSignIn: PageHandler = async (visit, ctx) =>
  visit.viewer ? { to: ownPath(visit.query['to']) } : signInPage(visit, ctx.config)

/** Sends the browser to the code host, with something to bring back. */
export const startSignIn: PageHandler = async (visit, ctx) => {
  const { oauth, webUrl } = ctx.config.codeHost
  const wantsPrivate = visit.query['access'] === 'private'
  if (!oauth || (wantsPrivate && visit.isCrossSite)) return { to: '/sign-in' }
  const { to, kept } = await begin(ctx, {
    ...{ oauth, webUrl, origin: visit.origin },
    path: ownPath(visit.query['to']),
    wantsPrivate,
  })
  return { to, signingIn: kept }
}

/** The browser is back from the code host. */
export const finishSignIn: PageHandler = async (visit, ctx) => {
  const done = await complete(ctx, visit)
  if (!done) return { ...signInPage(visit, ctx.config, 'signInStopped'), status: 400, signingIn: null }
  return { to: done.path, session: await newSession(ctx, { ...visit, address: null }, done.token), signingIn: null }
}

/** Where there is no OAuth app: an access token, pasted. */
export const signInWithToken: PageHandler = async (visit, ctx) => {
  const token = (visit.form['token'] ?? '').trim()
  const refused = { ...signInPage(visit, ctx.config, 'signInTokenRefused'), status: 400 }
  if (!/^[!-~]{1,4096}$/.test(token)) return refused
  try {
    return { to: ownPath(visit.form['to']), session: await newSession(ctx, visit, new Secret(token)) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'UNAUTHENTICATED') return refused
    if (error.code !== 'HOST_TOKEN_REQUIRED') throw error
    return { ...signInPage(visit, ctx.config, 'signInNeedsAccount'), status: 403 }
  }
}

export const leaveSession: PageHandler = async ({ cookie }, ctx) => {
  if (cookie) await signOut(ctx, cookie)
  return { to: '/read', session: null }
}

type Visitor = Pick<Visit, 'locale' | 'cookie'> & { address: string | null }

function newSession(ctx: Context, { address, locale, cookie }: Visitor, token: Secret) {
  return signIn(ctx, token, { address, language: locale, former: cookie })
}

function signInPage(
  { locale, query, form }: Visit,
  { codeHost: { webUrl, oauth }, oidc }: Config,
  said?: 'signInTokenRefused' | 'signInStopped' | 'signInNeedsAccount',
): Page {
  const t = texts[locale]
  const to = ownPath(query['to'] ?? form['to'])
  return {
    title: t.signInTitle,
    body: html`<section class="sign-in">
<h1>${t.signInTitle}</h1>
${said ? html`<p class="warning" role="alert">${t[said]}</p>` : ''}
${
  oauth
    ? html`<p><a class="button" href="/sign-in/host?to=${encodeURIComponent(to)}">${t.signInWithHost(webUrl.host)}</a></p>
<p>${t.signInAsksNothing}</p>`
    : html`<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${to}">
<label for="token">${t.signInWithToken}</label>
<input id="token" name="token" type="password" required maxlength="4096" autocomplete="off" spellcheck="false" aria-describedby="token-help">
<p id="token-help">${oidc ? t.signInIssuerHelp(new URL(oidc.issuer).host) : t.signInTokenHelp(webUrl.host)}</p>
<button>${t.signIn}</button>
</form>`
}
</section>`,
  }
}
