import formBody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { authenticate } from '../accounts/authenticate.ts'
import { type Credential, tokenKeys } from '../accounts/credential.ts'
import type { Viewer } from '../accounts/session.ts'
import type { UnverifiedCredential } from '../accounts/unverifiedCredential.ts'
import type { Context } from '../context.ts'
import { Problem, statusOf } from '../errors.ts'
import { HostRateLimited, HostUnavailable } from '../host/errors.ts'
import { Secret } from '../lib/secret.ts'
import { type Cost, TooManyRequests } from '../limits/limits.ts'
import { layout } from '../pages/layout.ts'
import { isLocale, LOCALES, type Locale } from '../pages/locale.ts'
import { ownPath } from '../pages/ownPath.ts'
import type { Page, PageHandler, PageResponse, Visit } from '../pages/page.ts'
import { routes } from '../pages/routes.ts'
import { errorPage } from '../pages/views/error.ts'
import { serveAssets } from './assets.ts'
import { cookiesOf, setCookies } from './cookies.ts'
import { requireStillLive } from './identify.ts'
import { limit } from './limit.ts'
import { problemOf } from './problems.ts'
import { CrossOriginRequest, isCrossSite, publicOrigin, requireSameOrigin } from './sameOrigin.ts'
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
      const isRateLimited = error instanceof TooManyRequests
      const anonymous = () => anonymousVisit(ctx, request)
      const visit = isRateLimited ? anonymous() : await visitOf(ctx, request).catch(anonymous)
      const problem = problemOf(error)
      if (problem?.retryAfter !== undefined) reply.header('Retry-After', problem.retryAfter)
      const status = problem ? statusOf[problem.code] : 500
      if (status >= 500) request.log.error({ reqId: request.id, err: error }, 'Rendering a web page failed.')
      const code = error instanceof CrossOriginRequest ? 'OTHER_ORIGIN' : (problem?.code ?? 'INTERNAL_SERVER_ERROR')
      return sendPage(reply, visit, errorPage(visit, status, code, problem?.details?.reason))
    })
    for (const path of ['/', '/read/']) app.get(path, (_, reply) => reply.redirect('/read'))
    serveAssets(app)
    for (const path of ['/read/*', '/sign-in/*'])
      app.get(path, { config: { cost: 'reads' } }, () => {
        throw new Problem('NOT_FOUND', 'There is no such page.')
      })
    for (const { method, path, cost = method === 'GET' ? 'reads' : 'writes', handler } of routes)
      app.route({
        method,
        url: path,
        config: { cost },
        handler: (request, reply) => handle(ctx, handler, request, reply),
      })
  }
}

async function handle(ctx: Context, handler: PageHandler, request: FastifyRequest, reply: FastifyReply) {
  if (request.method === 'POST') requireSameOrigin(ctx, request)
  const credential = cookieOf(request)
  const visit = await visitOf(ctx, request)
  const { viewer } = visit
  request.identity = { credential, session: async () => viewer ?? null, userId: viewer?.user.id }
  const response = await handler(visit, ctx)
  const isSessionKept = response.session === undefined
  if (viewer && isSessionKept) await requireStillLive(ctx, reply, viewer)
  return send(reply, visit, response)
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
  const viewer = visit.cookie && (await viewerOf(ctx, visit.cookie, request.ip))
  if (!viewer) return visit
  return { ...visit, viewer, credential: credentialFor(ctx, visit.cookie, viewer), locale: localeOf(request, viewer) }
}

function anonymousVisit(ctx: Context, request: FastifyRequest): Visit {
  const { session, signingIn } = cookiesOf(request.headers.cookie)
  const form = textFields(request.body)
  return {
    params: request.params as Visit['params'],
    query: textFields(request.query),
    form,
    viewer: undefined,
    credential: NO_CREDENTIAL,
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

const NO_CREDENTIAL: UnverifiedCredential = { token: null, identify: async () => undefined, isKnownAs: () => {} }

function credentialFor(ctx: Context, token: Secret | undefined, viewer: Viewer): UnverifiedCredential {
  return {
    token: token ? tokenKeys(ctx, { token, isCookie: true }) : null,
    identify: async () => viewer,
    isKnownAs: () => {},
  }
}

/** Undefined if the session has ended or cannot be verified now: pages are shown to everybody. */
async function viewerOf(ctx: Context, token: Secret, address: string): Promise<Viewer | undefined> {
  const session = await authenticate(ctx, { token, isCookie: true }, address).catch((error) => {
    const isEnded = error instanceof Problem && error.code === 'UNAUTHENTICATED'
    if (isEnded || error instanceof HostUnavailable || error instanceof HostRateLimited) return undefined
    throw error
  })
  return session?.user ? (session as Viewer) : undefined
}

/** From the language cookie, else the viewer's article language, else the `Accept-Language` header. */
function localeOf(request: FastifyRequest, viewer: Viewer | undefined): Locale {
  const chosen = [cookiesOf(request.headers.cookie).language, viewer?.user.language].find(isLocale)
  if (chosen) return chosen
  const accepted = new Negotiator(request.raw).language(LOCALES)
  return isLocale(accepted) ? accepted : 'en'
}
