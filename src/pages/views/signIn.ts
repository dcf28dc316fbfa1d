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

/** Redirects to the code host, with a cookie that the callback verifies. */
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

/** The OAuth callback. */
export const finishSignIn: PageHandler = async (visit, ctx) => {
  const completed = await complete(ctx, visit)
  if (!completed) return { ...signInPage(visit, ctx.config, 'signInIncomplete'), status: 400, signingIn: null }
  return {
    to: completed.path,
    session: await newSession(ctx, { ...visit, address: null }, completed.token),
    signingIn: null,
  }
}

/** Signs in with a pasted access token, if no OAuth app is configured. */
export const signInWithToken: PageHandler = async (visit, ctx) => {
  const token = (visit.form['token'] ?? '').trim()
  const rejected = { ...signInPage(visit, ctx.config, 'signInTokenRefused'), status: 400 }
  if (!/^[!-~]{1,4096}$/.test(token)) return rejected
  try {
    return { to: ownPath(visit.form['to']), session: await newSession(ctx, visit, new Secret(token)) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'UNAUTHENTICATED') return rejected
    if (error.code !== 'HOST_TOKEN_REQUIRED') throw error
    return { ...signInPage(visit, ctx.config, 'signInNeedsAccount'), status: 403 }
  }
}

export const endSession: PageHandler = async (visit, ctx) => {
  await signOut(ctx, visit)
  return { to: '/read', session: null }
}

type Visitor = Pick<Visit, 'locale' | 'cookie' | 'viewer'> & { address: string | null }

function newSession(ctx: Context, { address, locale, ...former }: Visitor, token: Secret) {
  return signIn(ctx, token, { address, language: locale, former })
}

function signInPage(
  { locale, query, form }: Visit,
  { codeHost: { webUrl, oauth }, oidc }: Config,
  warning?: 'signInTokenRefused' | 'signInIncomplete' | 'signInNeedsAccount',
): Page {
  const t = texts[locale]
  const to = ownPath(query['to'] ?? form['to'])
  return {
    title: t.signInTitle,
    body: html`<section class="sign-in">
<h1>${t.signInTitle}</h1>
${warning ? html`<p class="warning" role="alert">${t[warning]}</p>` : ''}
${
  oauth
    ? html`<p><a class="button" href="/sign-in/host?to=${encodeURIComponent(to)}">${t.signInWithHost(webUrl.host)}</a></p>
<p>${t.signInPermissions}</p>`
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
