import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Context } from '../../context.ts'
import { authenticate } from '../../domain/accounts/authenticate.ts'
import type { Credential } from '../../domain/accounts/credential.ts'
import type { Session } from '../../domain/accounts/session.ts'
import { Problem } from '../../errors.ts'
import { HostRateLimited, HostUnavailable } from '../../host/errors.ts'
import { Secret } from '../../lib/secret.ts'
import { cookiesOf } from '../api/cookies.ts'
import { type Caller, callerBy, requireStillLive, viewerOf } from '../api/identify.ts'
import { isCrossSite, isSecure, publicOrigin } from '../api/sameOrigin.ts'
import { isLocale, LOCALES, type Locale } from './locale.ts'
import { ownPath } from './ownPath.ts'
import type { Visit } from './page.ts'

export function cookieOf(ctx: Context, request: FastifyRequest): Credential | null {
  const { session } = ownCookies(ctx, request)
  return session === undefined ? null : { token: new Secret(session), isCookie: true }
}

function ownCookies(ctx: Context, request: FastifyRequest) {
  return cookiesOf(request.headers.cookie, isSecure(ctx, request))
}

/** The visitor, by the session cookie alone. The session is looked up once for the page and its error page. */
export function visitorOf(ctx: Context, request: FastifyRequest): Caller {
  request.caller ??= callerBy(cookieOf(ctx, request), (cookie) => findSession(ctx, cookie, request.ip))
  return request.caller
}

export async function visitOf(ctx: Context, request: FastifyRequest): Promise<Visit> {
  const visit = anonymousVisit(ctx, request)
  const viewer = await viewerOf(visitorOf(ctx, request))
  return viewer ? { ...visit, viewer } : visit
}

/** The visit for an error page. Throws if the session has ended while the request waited. */
export async function liveVisit(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const visit = await visitOf(ctx, request)
  if (visit.viewer) await requireStillLive(ctx, reply, visit.viewer)
  return visit
}

export function anonymousVisit(ctx: Context, request: FastifyRequest): Visit {
  const { session, signingIn, language } = ownCookies(ctx, request)
  const form = textFields(request.body)
  return {
    params: request.params as Visit['params'],
    query: textFields(request.query),
    form,
    viewer: undefined,
    cookie: session === undefined ? undefined : new Secret(session),
    signingIn,
    locale: localeOf(request, language),
    origin: publicOrigin(ctx, request),
    path: request.method === 'POST' ? formPage(request.url, form) : request.url,
    webOrigin: ctx.config.codeHost.webUrl.origin,
    address: request.ip,
    requestId: request.id,
    isCrossSite: isCrossSite(request),
    isFromOwnPage: request.headers['sec-fetch-site'] === 'same-origin',
  }
}

/** The path of the page that a form was sent from: the URL that receives the form is not a page. */
function formPage(url: string, { to, address }: Record<string, string>): string {
  if (address !== undefined) return `/read?address=${encodeURIComponent(address)}`
  return ownPath(to ?? (/^\/read\/(favorites|feed|leave|me)\b/.test(url) ? '/read/me' : undefined))
}

/** Text fields by name. If a field is repeated, its first value is used. */
export function textFields(fields: unknown): Record<string, string> {
  const entries = Object.entries(typeof fields === 'object' && fields !== null ? fields : {})
  const firstValues = entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  return Object.fromEntries(firstValues.filter(([, value]) => typeof value === 'string'))
}

/** The session, or null if it has ended or cannot be verified now: the page is then shown without it. */
async function findSession(ctx: Context, cookie: Credential, address: string): Promise<Session | null> {
  return authenticate(ctx, cookie, address).catch((error) => {
    const isEnded = error instanceof Problem && error.code === 'UNAUTHENTICATED'
    if (isEnded || error instanceof HostUnavailable || error instanceof HostRateLimited) return null
    throw error
  })
}

/**
 * The language of the page, from the language cookie, else from the `Accept-Language` header. It does not depend on the
 * account, because signing in must not switch the language of the pages.
 */
function localeOf(request: FastifyRequest, language: string | undefined): Locale {
  if (isLocale(language)) return language
  const accepted = new Negotiator(request.raw).language(LOCALES)
  return isLocale(accepted) ? accepted : 'en'
}
