import { html } from '@remix-run/html-template'
import { begin, complete } from '../../accounts/oauth.ts'
import { signIn, signOut } from '../../accounts/signIn.ts'
import { Problem } from '../../errors.ts'
import { Secret } from '../../secret.ts'
import { texts } from '../locale.ts'
import { ownPath } from '../ownPath.ts'
import type { Page, PageHandler, Visit } from '../page.ts'

export const showSignIn: PageHandler = async (visit, ctx) =>
  visit.viewer ? { to: ownPath(visit.query['to']) } : signInPage(visit, ctx.config.codeHost)

/** Sends the browser to the code host, with something to bring back. */
export const startSignIn: PageHandler = async (visit, ctx) => {
  const { oauth, webUrl } = ctx.config.codeHost
  if (!oauth) return { to: '/sign-in' }
  const { to, kept } = await begin(ctx, {
    ...{ oauth, webUrl, origin: visit.origin },
    path: ownPath(visit.query['to']),
    wantsPrivate: visit.query['access'] === 'private',
  })
  return { to, signingIn: kept }
}

/** The browser is back from the code host. */
export const finishSignIn: PageHandler = async (visit, ctx) => {
  const done = await complete(ctx, visit)
  if (!done) return { ...signInPage(visit, ctx.config.codeHost, 'signInStopped'), status: 400, signingIn: null }
  const session = await signIn(ctx, done.token, visit.address, visit.locale)
  return { to: done.path, session, signingIn: null }
}

/** Where there is no OAuth app: an access token, pasted. */
export const signInWithToken: PageHandler = async (visit, ctx) => {
  const token = (visit.form['token'] ?? '').trim()
  const refused = { ...signInPage(visit, ctx.config.codeHost, 'signInTokenRefused'), status: 400 }
  if (!/^[!-~]{1,4096}$/.test(token)) return refused
  try {
    const session = await signIn(ctx, new Secret(token), visit.address, visit.locale)
    return { to: ownPath(visit.form['to']), session }
  } catch (error) {
    if (error instanceof Problem && error.code === 'UNAUTHENTICATED') return refused
    throw error
  }
}

export const leaveSession: PageHandler = async ({ cookie, viewer }, ctx) => {
  if (cookie && viewer) await signOut(ctx, cookie)
  return { to: '/read', session: null }
}

function signInPage(
  { locale, query, form }: Visit,
  { webUrl, oauth }: { webUrl: URL; oauth?: object | undefined },
  said?: 'signInTokenRefused' | 'signInStopped',
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
<p id="token-help">${t.signInTokenHelp(webUrl.host)}</p>
<button>${t.signIn}</button>
</form>`
}
</section>`,
  }
}
