import type { FastifyReply, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify'
import { operations as table } from '../../../generated/operations.ts'
import type { Context } from '../../context.ts'
import type { Session } from '../../domain/accounts/session.ts'
import { usesIndex } from '../../domain/lists/listArticles.ts'
import { Problem, statusOf } from '../../errors.ts'
import { isApiToken } from '../../lib/apiToken.ts'
import { TooManyRequests } from '../../runtime/limits/limits.ts'
import { preferencesOf } from './articleFormat.ts'
import { wantsEvents } from './events.ts'
import type { Handlers, OperationId } from './handler.ts'
import { type Caller, callerOf, requireStillLive, unverifiedCredential } from './identify.ts'
import { HANDLER_SECONDS } from './inTime.ts'
import { limit } from './limit.ts'
import { nextLink } from './nextLink.ts'
import { preferredWait } from './prefer.ts'
import { problemOf, unavailable, unknownParameters } from './problems.ts'
import { inRequestSlot, slotsOf } from './requestSlot.ts'
import { publicOrigin, requireValidHost } from './sameOrigin.ts'
import { type CachedBy, type HttpResponse, send } from './send.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of an operation of the contract, or `mcp`; null for pages and documents. */
    operationId: OperationId | 'mcp' | null
    caller: Caller | null
  }
}

type AnyHandler = (input: object, ctx: Context) => Promise<HttpResponse>
type Operation = (typeof table)[OperationId] & {
  authentication?: 'deferred'
  seconds?: number
  rawBody?: true
}
type Route = Pick<RouteOptions, 'onRequest' | 'preValidation' | 'handler'>

/** The route of an operation. It authenticates before it validates, so that 401 precedes 400. */
export function bind(ctx: Context, handlers: Handlers, operationId: OperationId): Route {
  const operation: Operation = table[operationId]
  const handle = handlers[operationId] as AnyHandler
  const milliseconds = (operation.seconds ?? HANDLER_SECONDS) * 1000
  const isDeferred = operation.authentication === 'deferred'
  const respond = (request: FastifyRequest, reply: FastifyReply) =>
    isDeferred ? handle(deferredInput(ctx, request), ctx) : respondAuthenticated(ctx, operation, handle, request, reply)
  return {
    onRequest(request, reply, done) {
      request.operationId = operationId
      reply.header('Cache-Control', 'no-store')
      if (operation.security !== 'none') requireValidHost(ctx, request)
      const caller = callerOf(ctx, request, operation)
      request.caller = caller
      // With deferred authentication, the handler's SQL statement authenticates the caller. If the request fails before
      // that, `authErrorFirst` authenticates the caller. If the request has a body, or an API token whose scope matters,
      // the caller is always authenticated first.
      const identify = () => {
        if (isDeferred && !hasBody(request) && !isScopeNeeded(operation, caller)) done()
        else caller.session().then(() => done(), done)
      }
      const cost = costOf(operation, request)
      if (ctx.limits && cost !== 'none') limit(ctx, reply, cost, caller.credential).then(identify, done)
      else identify()
    },
    preValidation: [
      ...(operation.body === 'none' ? [] : [requireBody(operation.body)]),
      refuseUnknown(operation.queryNames),
    ],
    handler(request, reply) {
      const responding = isSearch(operationId, request)
        ? inRequestSlot(slotsOf(ctx).searches, reply, () => respond(request, reply))
        : respond(request, reply)
      // Fastify's own `handlerTimeout` is not used, because it stops counting once a body has been read.
      const timer = setTimeout(() => fail(unavailable()), milliseconds)
      function fail(error: unknown): void {
        clearTimeout(timer)
        if (!reply.sent) reply.send(error)
      }
      responding.then((response) => {
        clearTimeout(timer)
        try {
          if (reply.sent) return
          if (response.nextCursor) reply.header('Link', nextLink(ctx, request, response.nextCursor))
          send(reply, response, response.status === 200 ? cachedBy(operation, request) : undefined)
        } catch (error) {
          fail(error)
        }
      }, fail)
    },
  }
}

/** The rate limit of a request. A read with `refresh` calls the code host, and one with `q` searches. */
function costOf({ cost }: Operation, { query }: FastifyRequest): Operation['cost'] | 'search' {
  if (cost !== 'reads') return cost
  const { refresh, q } = query as Record<string, unknown>
  return refresh === 'true' ? 'host' : q ? 'search' : cost
}

function isSearch(operationId: OperationId, { query }: FastifyRequest): boolean {
  return operationId === 'listArticles' && usesIndex(query as object)
}

/** Undefined for operations whose responses are not kept: the contract declares no 304 for them. */
function cachedBy({ statuses }: Operation, { caller }: FastifyRequest): CachedBy | undefined {
  if (!(statuses as readonly number[]).includes(304)) return undefined
  return caller?.credential ? 'private' : 'public'
}

function isScopeNeeded({ tokenScope }: Operation, { credential }: Caller): boolean {
  return tokenScope !== 'read' && credential !== null && isApiToken(credential.token)
}

/** If a request failed before it was authenticated, an authentication error takes precedence. */
export async function authErrorFirst(error: unknown, { caller }: FastifyRequest): Promise<unknown> {
  const problem = problemOf(error)
  // A rate-limited request is not authenticated: the limit exists to save that work.
  if (!caller || !problem || error instanceof TooManyRequests || statusOf[problem.code] >= 500) return error
  return caller.session().then(
    () => error,
    (authError) => authError,
  )
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

async function respondAuthenticated(
  ctx: Context,
  operation: Operation,
  handle: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<HttpResponse> {
  const session = (await request.caller?.session()) ?? null
  const response = await handle(authenticatedInput(ctx, request, operation, session), ctx)
  if (session && response.body && !response.endsSession) await requireStillLive(ctx, reply, session, operation)
  return response
}

function deferredInput(ctx: Context, request: FastifyRequest) {
  const { params, query, caller } = request
  const origin = publicOrigin(ctx, request)
  const preferences = () => preferencesOf(request.headers)
  return { params, query, origin, preferences, credential: caller && unverifiedCredential(ctx, caller) }
}

function authenticatedInput(ctx: Context, request: FastifyRequest, operation: Operation, session: Session | null) {
  const { params, query, body, headers } = request
  const isViewer = operation.security === 'bearer' || session?.user
  return {
    ...{ params, query, origin: publicOrigin(ctx, request), preferences: () => preferencesOf(headers) },
    ...(operation.rawBody ? { rawBody: body, headers } : { body }),
    viewer: isViewer ? (session ?? undefined) : undefined,
    isIdentified: session !== null,
    preferredWait: preferredWait(headers['prefer']),
    wantsEvents: request.method === 'GET' && wantsEvents(headers.accept),
    lastEventId: headers['last-event-id'],
  }
}

function requireBody(body: 'required' | 'optional'): preValidationHookHandler {
  return (request, _, done) => {
    if (request.body === undefined) {
      if (body === 'required') return done(new Problem('VALIDATION_ERROR', 'A JSON body is required.'))
      request.body = {}
    }
    done()
  }
}

function refuseUnknown(known: readonly string[]): preValidationHookHandler {
  return ({ query }, _, done) => {
    const unknown = Object.keys(query as object).filter((name) => !known.includes(name))
    if (unknown.length === 0) return done()
    done(unknownParameters(unknown))
  }
}
