import type { Context } from '../../../context.ts'
import { begin, complete, type HostTokens } from '../../../domain/accounts/oauth.ts'
import { isRenewalRefused } from '../../../domain/accounts/renewal.ts'
import { signIn, signOut } from '../../../domain/accounts/signIn.ts'
import { Problem } from '../../../errors.ts'
import { Secret } from '../../../lib/secret.ts'
import type { Page, PageHandler, PageResponse, Visit } from '../page.ts'
import { fieldsOf, returnPath, SIGN_IN_PATH, signInPath, wishFields, wishIn } from '../wish.ts'
import { goOnPage, isRefusal, signInPage } from './signInPage.ts'

export const showSignIn: PageHandler = async (visit, ctx) => {
  const { viewer, cookie } = visit
  if (viewer) return { to: returnPath(visit.query['to']) }
  const isRefused = cookie !== undefined && (await isRenewalRefused(ctx, cookie))
  return signInPage(visit, ctx, isRefused ? 'signInNotRenewed' : undefined)
}

/**
 * Redirects to the code host, with a cookie that the callback verifies. The code host may redirect back without asking
 * the visitor, so a wish (an action to do after signing in) counts only if the visitor comes from our own sign-in page,
 * which names it.
 */
export const startSignIn: PageHandler = async (visit, ctx) => {
  const { oauth, webUrl } = ctx.config.codeHost
  const { query } = visit
  const wantsPrivate = query['access'] === 'private'
  if (!oauth || (wantsPrivate && visit.isCrossSite)) return { to: SIGN_IN_PATH }
  const wish = visit.isFromOwnPage ? wishIn(query, webUrl) : undefined
  const { to, kept } = await begin(ctx, {
    ...{ oauth, webUrl, origin: visit.origin },
    path: signInPath(returnPath(query['to']), wishFields(wish)),
    wantsPrivate,
  })
  return { to, signingIn: kept }
}

/** The OAuth callback. */
export const finishSignIn: PageHandler = async (visit, ctx) => {
  const completed = await complete(ctx, visit)
  if (!completed) return { ...signInPage(visit, ctx, 'signInIncomplete'), status: 400, signingIn: null }
  try {
    const session = await newSession(ctx, { ...visit, address: null }, completed.tokens)
    return { ...nextAfter(visit, ctx, fieldsOf(completed.path)), session, signingIn: null }
  } catch (error) {
    return { ...refusedPage(visit, ctx, error), signingIn: null }
  }
}

/** The sign-in page for a user who may not sign in with any token. Throws all other errors. */
function refusedPage(visit: Visit, ctx: Context, error: unknown): Page {
  const reason = error instanceof Problem ? error.details?.reason : undefined
  if (!isRefusal(reason)) throw error
  return { ...signInPage(visit, ctx, reason), status: 403 }
}

/** Signs in with a pasted access token, if no OAuth app is configured. */
export const signInWithToken: PageHandler = async (visit, ctx) => {
  const token = (visit.form['token'] ?? '').trim()
  const rejected = { ...signInPage(visit, ctx, 'signInTokenRefused'), status: 400 }
  if (!/^[!-~]{1,4096}$/.test(token)) return rejected
  try {
    const session = await newSession(ctx, visit, { access: new Secret(token), accessExpiresAt: null, refresh: null })
    return { ...nextAfter(visit, ctx, visit.form), session }
  } catch (error) {
    const { code, details } = error instanceof Problem ? error : {}
    if (code === 'UNAUTHENTICATED' && !details) return rejected
    if (code === 'HOST_TOKEN_REQUIRED') return { ...signInPage(visit, ctx, 'signInNeedsAccount'), status: 403 }
    return refusedPage(visit, ctx, error)
  }
}

export const endSession: PageHandler = async (visit, ctx) => {
  await signOut(ctx, visit)
  return { to: '/read', session: null }
}

type Visitor = Pick<Visit, 'locale' | 'cookie' | 'viewer'> & { address: string | null }

function newSession(ctx: Context, { address, locale, ...former }: Visitor, tokens: HostTokens) {
  return signIn(ctx, tokens, { address, language: locale, former })
}

function nextAfter(visit: Visit, { config }: Context, fields: Record<string, string>): PageResponse {
  const wish = wishIn(fields, config.codeHost.webUrl)
  return wish ? goOnPage(visit, wish) : { to: returnPath(fields['to']) }
}
