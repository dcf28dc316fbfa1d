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
import type { Contract } from './contract.ts'
import { handlers } from './operations/index.ts'
import { readProjectFile } from './projectFiles.ts'
import { acceptJsonOnly } from './web/api/acceptJson.ts'
import { authErrorFirst, bind } from './web/api/bind.ts'
import { crossOrigin } from './web/api/crossOrigin.ts'
import type { OperationId } from './web/api/handler.ts'
import { hostHeaderProblem } from './web/api/hostHeader.ts'
import { addTimeout } from './web/api/inTime.ts'
import { rememberTokenOwner } from './web/api/limit.ts'
import { addFieldsToLogs } from './web/api/logFields.ts'
import { requestLog } from './web/api/logRequest.ts'
import { hintAtProxy } from './web/api/proxyHints.ts'
import { requestIds } from './web/api/requestId.ts'
import { requireValidHost } from './web/api/sameOrigin.ts'
import { compileRequest, compileResponse } from './web/api/schemas.ts'
import { DATA_HEADERS } from './web/api/securityHeaders.ts'
import { notFound, sendBadRequest, sendError } from './web/api/sendErrors.ts'
import { serveRawOperations } from './web/api/serveRawOperations.ts'
import { serveDocuments } from './web/documents/documents.ts'
import { serveSearchEngines } from './web/documents/searchEngines.ts'
import { serveFeeds } from './web/feeds/serveFeeds.ts'
import { serveProtectedResource } from './web/mcp/protectedResource.ts'
import { serveMcp } from './web/mcp/serveMcp.ts'
import { sendUnrouted } from './web/pages/negotiateErrors.ts'
import { servePages } from './web/pages/servePages.ts'
import { drainOnClose } from './web/server/drain.ts'
import { createServer, serveBy } from './web/server/serverFactory.ts'

/** nginx's status for a client that disconnected before the response. */
const CLIENT_CLOSED_REQUEST = 499

/** Builds the HTTP app on `server`, which may already be listening. */
export async function createApp(ctx: Context, server = createServer()): Promise<FastifyInstance> {
  const { corsOrigins, trustedProxies, role } = ctx.config
  const observe = observeRequests(ctx)
  const { serverFactory, open } = serveBy(ctx, server)
  const app: FastifyInstance = Fastify({
    serverFactory,
    loggerInstance: sharedLogger(ctx.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(trustedProxies),
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    bodyLimit: 1024 * 1024,
    // While draining, requests on kept-alive connections are still served. Fastify would send 503 in its own format.
    return503OnClosing: false,
    // Accepts path parameters as long as a request line can be: the contract limits them and answers longer ones with
    // 400.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => {
      observe(request, reply)
      void sendUnrouted(ctx, error, request, reply)
    },
    clientErrorHandler: sendBadRequest,
  })
  app.addHook('onReady', async () => open())
  app.decorateRequest('operationId', null)
  app.decorateRequest('caller', null)
  addFieldsToLogs(app)
  app.setErrorHandler(async (error, request, reply) =>
    request.is404
      ? sendUnrouted(ctx, error, request, reply)
      : sendError(await authErrorFirst(error, request), request, reply),
  )
  app.setNotFoundHandler((request, reply) => sendUnrouted(ctx, notFound(request, reply), request, reply))
  app.setValidatorCompiler(compileRequest)
  app.setSerializerCompiler(compileResponse)
  acceptJsonOnly(app)
  drainOnClose(app, ctx.jobs.watch.endAllWaits)
  // Imported only if tracing is configured, to start faster.
  if (ctx.telemetry.tracing) (await import('./web/api/traceRequests.ts')).traceRequests(app)
  app.addHook('onRequest', (request, reply, done) => {
    observe(request, reply)
    reply.header('X-Request-Id', request.id).headers(DATA_HEADERS)
    const hostProblem = hostHeaderProblem(request.raw)
    if (hostProblem) return void sendError(hostProblem, request, reply)
    // An OPTIONS request that is not a preflight gets the usual 404 or 405.
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] === undefined)
      return void sendError(notFound(request, reply), request, reply)
    done()
  })

  if (corsOrigins.length > 0) await app.register(cors, crossOrigin(corsOrigins))
  if (role !== 'worker') {
    await app.register(serveSite(ctx))
    await app.register(serveMcp(ctx))
    await app.register(serveProtectedResource(ctx))
    await app.register(serveRawOperations(ctx, handlers))
  }
  await app.register(openapiGlue, {
    specification: role === 'worker' ? healthOnly(routes()) : routes(),
    operationResolver: (id) => bind(ctx, handlers, id as OperationId) as RouteOptions,
  })
  return app
}

/** Logs and measures every request, including those whose client disconnects before the response. */
function observeRequests(ctx: Context): (request: FastifyRequest, reply: FastifyReply) => void {
  const logRequest = requestLog(ctx.log)
  return (request, reply) => {
    // Read now: the IP address is not available after the connection has closed.
    const { ip } = request
    reply.raw.once('close', () => {
      const status = reply.raw.headersSent ? reply.statusCode : CLIENT_CLOSED_REQUEST
      const milliseconds = reply.elapsedTime
      logRequest(request, { address: ip, status, milliseconds })
      rememberTokenOwner(ctx, request, status)
      ctx.telemetry.metrics?.requestEnded(request.operationId ?? 'other', status, milliseconds / 1000, request.id)
    })
  }
}

/** Serves everything besides the API: documentation, pages, feeds and files for search engines. */
function serveSite(ctx: Context) {
  return async (app: FastifyInstance): Promise<void> => {
    await app.register(serveDocuments)
    await app.register(async (site) => {
      site.addHook('onRoute', (route) => addTimeout(route))
      const hint = hintAtProxy(ctx)
      site.addHook('preHandler', async (request) => {
        hint(request)
        requireValidHost(ctx, request)
      })
      await site.register(servePages(ctx))
      await site.register(serveFeeds(ctx))
      await site.register(serveSearchEngines(ctx))
    })
  }
}

/** Keeps only the health probes of the contract, because worker nodes serve nothing else. */
function healthOnly({ paths, ...others }: Contract): Contract {
  const probes = Object.entries(paths).filter(([path]) => path === '/healthz' || path === '/readyz')
  return { ...others, paths: Object.fromEntries(probes) } as Contract
}

/** All requests share one logger: child loggers cost more than adding the request id to the few lines that need it. */
function sharedLogger(log: Context['log']): FastifyBaseLogger {
  const shared = Object.create(log, { child: { value: () => shared } })
  return shared
}

/** Parses the routes again for each app, because fastify-openapi-glue modifies them. */
function routes(): Contract {
  return JSON.parse(readProjectFile('generated/routes.json').toString())
}
