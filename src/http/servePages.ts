import formBody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { authenticate } from '../accounts/authenticate.ts'
import type { Credential } from '../accounts/credential.ts'
import type { Session, Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { Problem, statusOf } from '../errors.ts'
import { HostRateLimited, HostUnavailable } from '../host/errors.ts'
import { Secret } from '../lib/secret.ts'
import { type Cost, TooManyRequests } from '../limits/limits.ts'
import { layout } from '../pages/layout.ts'
import { isLocale, LOCALES, type Locale } from '../pages/locale.ts'
import { ownPath } from '../pages/ownPath.ts'
import {
  type DeferredPageHandler,
  type Page,
  type PageResponse,
  type PageRoute,
  requireViewer,
  signInRequired,
  type Visit,
} from '../pages/page.ts'
import { routes } from '../pages/routes.ts'
import { errorPage } from '../pages/views/error.ts'
import { serveAssets } from './assets.ts'
import { cookiesOf, setCookies } from './cookies.ts'
import { type Identity, identityBy, requireStillLive, unverifiedCredential, viewerOf } from './identify.ts'
import { limit } from './limit.ts'
import { problemOf } from './problems.ts'
import { isCrossSite, publicOrigin, requireSameOrigin } from './sameOrigin.ts'
import { PAGE_HEADERS } from './securityHeaders.ts'
import { sendAndLinger } from './sendErrors.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate limit that a request counts against; unset: none. */
    cost?: Cost
  }
}

export function servePages(ctx: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    await app.register(formBody, { bodyLimit: 16_384 })
    app.addHook('onRequest', (_, reply, done) => {
      reply.headers(PAGE_HEADERS).headers({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' })
      done()
    })
    app.addHook('onRequest', async (request, reply) => {
      const { cost } = request.routeOptions.config
      if (cost) await limit(ctx, reply, cost, cookieOf(request))
    })
    app.setErrorHandler(async (error, request, reply) => {
      const problem = problemOf(error)
      if (problem?.retryAfter !== undefined) reply.header('Retry-After', problem.retryAfter)
      const status = problem ? statusOf[problem.code] : 500
      const isAnonymous = status === 401 || error instanceof TooManyRequests
      const anonymous = () => anonymousVisit(ctx, request)
      const visit = isAnonymous ? anonymous() : await liveVisit(ctx, request, reply).catch(anonymous)
      if (status >= 500) request.log.error({ reqId: request.id, err: error }, 'Rendering a web page failed.')
      const code = problem?.code ?? 'INTERNAL_SERVER_ERROR'
      return sendPage(reply, visit, errorPage(visit, status, code, problem?.details?.reason))
    })
    for (const path of ['/', '/read/']) app.get(path, (_, reply) => reply.redirect('/read'))
    serveAssets(app)
    for (const path of ['/read/*', '/sign-in/*'])
      app.get(path, { config: { cost: 'reads' } }, () => {
        throw new Problem('NOT_FOUND', 'There is no such page.')
      })
    for (const route of routes) {
      const { method, path, cost = method === 'GET' ? 'reads' : 'writes' } = route
      app.route({
        method,
        url: path,
        config: { cost },
        handler: (request, reply) => handle(ctx, route, request, reply),
      })
    }
  }
}

async function handle(ctx: Context, route: PageRoute, request: FastifyRequest, reply: FastifyReply) {
  if (request.method === 'POST') requireSameOrigin(ctx, request)
  if (route.authentication === 'deferred') return reply.redirect(await handleDeferred(ctx, route.handler, request), 303)
  const visit = await visitOf(ctx, request)
  const response = await route.handler(visit, ctx)
  const isSessionKept = response.session === undefined
  if (visit.viewer && isSessionKept) await requireStillLive(ctx, reply, visit.viewer)
  return send(reply, visit, response)
}

/** The visitor of a page. Only the cookie counts, and the session is looked up once for the page and its error page. */
function visitorOf(ctx: Context, request: FastifyRequest): Identity {
  request.identity ??= identityBy(cookieOf(request), (cookie) => findSession(ctx, cookie, request.ip))
  return request.identity
}

/** Lets the handler authenticate in its own statement. If it fails, an authentication error takes precedence. */
async function handleDeferred(ctx: Context, handler: DeferredPageHandler, request: FastifyRequest) {
  const { token, isKnownAs } = unverifiedCredential(ctx, visitorOf(ctx, request))
  if (!token) throw signInRequired()
  const identify = async () => requireViewer(await visitOf(ctx, request))
  const form = textFields(request.body)
  return handler(form, { token, isKnownAs, identify }, ctx).catch(async (error) => {
    await identify()
    throw error
  })
}

function cookieOf({ headers }: FastifyRequest): Credential | null {
  const { session } = cookiesOf(headers.cookie)
  return session === undefined ? null : { token: new Secret(session), isCookie: true }
}

function send(reply: FastifyReply, visit: Visit, response: PageResponse): FastifyReply {
  const isSecure = visit.origin.startsWith('https:')
  for (const cookie of setCookies(response, isSecure)) reply.header('Set-Cookie', cookie)
  return 'to' in response ? reply.redirect(response.to, 303) : sendPage(reply, visit, response)
}

function sendPage(reply: FastifyReply, visit: Visit, page: Page): FastifyReply {
  const { status = 200 } = page
  const html = String(layout(visit, page))
  reply.code(status).type('text/html; charset=utf-8')
  return status === 413 ? sendAndLinger(reply, html) : reply.send(html)
}

async function visitOf(ctx: Context, request: FastifyRequest): Promise<Visit> {
  const visit = anonymousVisit(ctx, request)
  const viewer = await viewerOf(visitorOf(ctx, request))
  return viewer ? { ...visit, viewer, locale: localeOf(request, viewer) } : visit
}

/** For error pages: the session may have ended while the request waited. */
async function liveVisit(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const visit = await visitOf(ctx, request)
  if (visit.viewer) await requireStillLive(ctx, reply, visit.viewer)
  return visit
}

function anonymousVisit(ctx: Context, request: FastifyRequest): Visit {
  const { session, signingIn } = cookiesOf(request.headers.cookie)
  const form = textFields(request.body)
  return {
    params: request.params as Visit['params'],
    query: textFields(request.query),
    form,
    viewer: undefined,
    cookie: session === undefined ? undefined : new Secret(session),
    signingIn,
    locale: localeOf(request, undefined),
    origin: publicOrigin(ctx, request),
    path: request.method === 'POST' ? formPage(request.url, form) : request.url,
    webOrigin: ctx.config.codeHost.webUrl.origin,
    address: request.ip,
    requestId: request.id,
    isCrossSite: isCrossSite(request),
  }
}

/** The page that a form was sent from: the URL it was sent to is not a page. */
function formPage(url: string, { to, address }: Record<string, string>): string {
  if (address !== undefined) return `/read?address=${encodeURIComponent(address)}`
  return ownPath(to ?? (/^\/read\/(favorites|feed|leave|me)\b/.test(url) ? '/read/me' : undefined))
}

/** Text fields by name; of repeated fields, the first. */
function textFields(fields: unknown): Record<string, string> {
  const entries = Object.entries(typeof fields === 'object' && fields !== null ? fields : {})
  const firstValues = entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  return Object.fromEntries(firstValues.filter(([, value]) => typeof value === 'string'))
}

/** Null if the session has ended or cannot be verified now: pages are shown to everybody. */
async function findSession(ctx: Context, cookie: Credential, address: string): Promise<Session | null> {
  return authenticate(ctx, cookie, address).catch((error) => {
    const isEnded = error instanceof Problem && error.code === 'UNAUTHENTICATED'
    if (isEnded || error instanceof HostUnavailable || error instanceof HostRateLimited) return null
    throw error
  })
}

/** From the language cookie, else the viewer's article language, else the `Accept-Language` header. */
function localeOf(request: FastifyRequest, viewer: Viewer | undefined): Locale {
  const chosen = [cookiesOf(request.headers.cookie).language, viewer?.user.language].find(isLocale)
  if (chosen) return chosen
  const accepted = new Negotiator(request.raw).language(LOCALES)
  return isLocale(accepted) ? accepted : 'en'
}
