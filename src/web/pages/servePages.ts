import formBody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Cost } from '../../runtime/limits/limits.ts'
import { setCookies } from '../api/cookies.ts'
import { requireStillLive, unverifiedCredential } from '../api/identify.ts'
import { limit } from '../api/limit.ts'
import { inRequestSlot, slotsOf } from '../api/requestSlot.ts'
import { isSecure, requireSameOrigin } from '../api/sameOrigin.ts'
import {
  type DeferredPageHandler,
  type PageResponse,
  type PageRoute,
  requireViewer,
  signInRequired,
  type Visit,
} from './page.ts'
import { routes } from './routes.ts'
import { pageHeaders, sendErrorPage, sendPage } from './sendPage.ts'
import { serveAssets } from './serveAssets.ts'
import { cookieOf, textFields, visitOf, visitorOf } from './visit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate limit that a request counts against; unset: none. */
    cost?: Cost
  }
}

/** Enough for a report of a mistake: up to 2,500 characters, each of which may be sent as nine bytes. */
const MAX_FORM_BYTES = 32_768

export function servePages(ctx: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    await app.register(formBody, { bodyLimit: MAX_FORM_BYTES })
    app.addHook('onRequest', (_, reply, done) => {
      reply.headers(pageHeaders)
      done()
    })
    app.addHook('onRequest', async (request, reply) => {
      const { cost } = request.routeOptions.config
      if (cost) await limit(ctx, reply, cost, cookieOf(ctx, request))
    })
    app.setErrorHandler((error, request, reply) => sendErrorPage(ctx, error, request, reply))
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
  const respond = () => route.handler(visit, ctx)
  const response = await (route.cost === 'search' ? inRequestSlot(slotsOf(ctx).searches, reply, respond) : respond())
  const isSessionKept = response.session === undefined
  if (visit.viewer && isSessionKept) await requireStillLive(ctx, reply, visit.viewer)
  return send(ctx, reply, visit, response)
}

/** Lets the handler authenticate in its own SQL statement. If it fails, an authentication error takes precedence. */
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

function send(ctx: Context, reply: FastifyReply, visit: Visit, response: PageResponse): FastifyReply {
  for (const cookie of setCookies(response, isSecure(ctx, reply.request))) reply.header('Set-Cookie', cookie)
  return 'to' in response ? reply.redirect(response.to, 303) : sendPage(reply, visit, response)
}
