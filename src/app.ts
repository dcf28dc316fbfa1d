import { randomUUIDv7 } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import type { Context } from './context.ts'
import { type Contract, contract } from './contract.ts'
import { Problem } from './errors.ts'
import { bind, whoFirst } from './http/bind.ts'
import { crossOrigin } from './http/crossOrigin.ts'
import { serveDocuments } from './http/documents.ts'
import { drainOnClose } from './http/drain.ts'
import type { OperationId } from './http/handler.ts'
import { problemWithHost } from './http/hostHeader.ts'
import { inTime } from './http/inTime.ts'
import { remember } from './http/limit.ts'
import { requestLog } from './http/logRequest.ts'
import { isNestedTooDeep } from './http/nesting.ts'
import { requireValidHost } from './http/sameOrigin.ts'
import { compileAnswer, compileRequest } from './http/schemas.ts'
import { serveSearchEngines } from './http/searchEngines.ts'
import { DATA_HEADERS } from './http/securityHeaders.ts'
import { sendError, sendNotFound, sendUnreadable } from './http/sendErrors.ts'
import { serveFeeds } from './http/serveAtom.ts'
import { servePages } from './http/servePages.ts'
import { shedLoad } from './http/shed.ts'
import { handlers } from './operations/index.ts'

const SECOND = 1000
/** As nginx calls what was not answered because the client had left before. */
const UNANSWERED = 499

export async function createApp(ctx: Context): Promise<FastifyInstance> {
  const { corsOrigins, trustedProxies, role } = ctx.config
  const follow = followRequests(ctx)
  const app: FastifyInstance = Fastify({
    loggerInstance: forAllRequests(ctx.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUIDv7(),
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    bodyLimit: 1024 * 1024,
    requestTimeout: 15 * SECOND,
    // Longer than any answer may take.
    connectionTimeout: 120 * SECOND,
    // Kept-alive connections are drained with answers, not cut off with a 503 in a shape of Fastify's own.
    return503OnClosing: false,
    // As long as a request line can be: the contract says how long a parameter may be, with a 400.
    routerOptions: { maxParamLength: 16_384 },
    http: {
      // Node would refuse these by itself, with no body; here they fail like everything else, or not at all.
      requireHostHeader: false,
      // While this is the longer one, Node forgets about `requestTimeout`.
      headersTimeout: 15 * SECOND,
      connectionsCheckingInterval: 3 * SECOND,
    },
    frameworkErrors: (error, request, reply) => {
      follow(request, reply)
      sendError(error, request, reply)
    },
    clientErrorHandler: sendUnreadable,
  })
  app.decorateRequest('operationId', null)
  app.decorateRequest('identity', null)
  app.setErrorHandler(async (error, request, reply) => sendError(await whoFirst(error, request), request, reply))
  app.setNotFoundHandler(sendNotFound)
  app.setValidatorCompiler(compileRequest)
  app.setSerializerCompiler(compileAnswer)
  acceptJsonOnly(app)
  shedLoad(app, ctx)
  drainOnClose(app, ctx.jobs.letGo)
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  ctx.tracing?.follow(app)
  app.addHook('onRequest', (request, reply, done) => {
    follow(request, reply)
    reply.header('X-Request-Id', request.id).headers(DATA_HEADERS)
    const misaddressed = problemWithHost(request.raw)
    if (misaddressed) return void sendError(misaddressed, request, reply)
    // An OPTIONS that is no preflight is a method like any other.
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] === undefined)
      return void sendNotFound(request, reply)
    done()
  })

  if (corsOrigins.length > 0) await app.register(cors, crossOrigin(corsOrigins))
  if (role !== 'worker') await app.register(serveReaders(ctx))
  await app.register(openapiGlue, {
    specification: withoutEvents(role === 'worker' ? healthOnly(contract) : contract),
    operationResolver: (id) => bind(ctx, handlers, id as OperationId) as RouteOptions,
  })
  return app
}

/** Notes how each request ended, also of those who leave before they are answered. */
function followRequests(ctx: Context): (request: FastifyRequest, reply: FastifyReply) => void {
  const logRequest = requestLog(ctx.log)
  return (request, reply) => {
    // Not to be had any more once the connection is gone.
    const { ip } = request
    reply.raw.once('close', () => {
      const status = reply.raw.headersSent ? reply.statusCode : UNANSWERED
      const milliseconds = reply.elapsedTime
      logRequest(request, { address: ip, status, milliseconds })
      remember(ctx, request, status)
      ctx.metrics?.requestEnded(request.operationId ?? 'other', status, milliseconds / 1000, request.id)
    })
  }
}

/** What people and their programs read beside the API. */
function serveReaders(ctx: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    await app.register(serveDocuments)
    await app.register(async (reader) => {
      reader.addHook('onRoute', (route) => inTime(route))
      reader.addHook('preHandler', async (request) => requireValidHost(ctx, request))
      await reader.register(servePages(ctx))
      await reader.register(serveFeeds(ctx))
      await reader.register(serveSearchEngines(ctx))
    })
  }
}

/** What a node answers that is there for other work. */
function healthOnly({ paths, ...others }: Contract): Contract {
  const kept = Object.entries(paths).filter(([path]) => path === '/healthz' || path === '/readyz')
  return { ...others, paths: Object.fromEntries(kept) } as Contract
}

/** A logger for each request costs more than to name the request where something is logged. */
function forAllRequests(log: Context['log']): FastifyBaseLogger {
  const shared = Object.create(log, { child: { value: () => shared } })
  return shared
}

/** Every body is JSON. Content-Type with no body is no body. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') return done(null, undefined)
    if (isNestedTooDeep(body)) return done(new Problem('VALIDATION_ERROR', 'The body is nested too deeply.'))
    parse(request, body, done)
  })
}

/** The glue takes every declared content type for one that bodies may have. */
function withoutEvents(document: Contract): Contract {
  return JSON.parse(JSON.stringify(document), (key, value) => (key === 'text/event-stream' ? undefined : value))
}
