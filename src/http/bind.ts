import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { operations as table } from '../../generated/operations.ts'
import { authenticate } from '../accounts/authenticate.ts'
import { unauthenticated, userNotFound } from '../accounts/problems.ts'
import type { Session } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'
import type { JsonText } from '../json.ts'
import { Secret } from '../secret.ts'
import { sendEvents, wantsEvents } from './events.ts'
import type { Events, Handlers, OperationId } from './handler.ts'
import { preferredWait } from './prefer.ts'
import { unavailable } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operationId: OperationId | null
    session: Session | null
  }
}

const HANDLER_SECONDS = 30
const LARGE_BYTES = 64 * 1024

interface Answer {
  status: number
  body: object | JsonText<unknown> | Events | undefined
  headers?: Record<string, string>
}
type AnyHandler = (input: object, ctx: Context) => Promise<Answer>

/** The route of an operation: who asks comes before what they ask, so that 401 precedes 400. */
export function bind(
  ctx: Context,
  handlers: Handlers,
  operationId: OperationId,
): Pick<RouteOptions, 'onRequest' | 'preValidation' | 'handler'> {
  const operation: (typeof table)[OperationId] & { seconds?: number } = table[operationId]
  const seconds = operation.seconds ?? HANDLER_SECONDS
  const handle = handlers[operationId] as AnyHandler
  return {
    async onRequest(request, reply) {
      request.operationId = operationId
      reply.header('Cache-Control', 'no-store')
      request.session = await sessionOf(ctx, request, operation)
    },
    async preValidation(request) {
      if (operation.body === 'none' || request.body !== undefined) return
      if (operation.body === 'required') throw new Problem('VALIDATION_ERROR', 'This needs a JSON body.')
      request.body = {}
    },
    async handler(request, reply) {
      const { params, query, body, session } = request
      const isViewer = operation.security === 'bearer' || session?.user
      const viewer = isViewer ? (session ?? undefined) : undefined
      const input = {
        ...{ params, query, body, viewer },
        isIdentified: session !== null,
        preferredWait: preferredWait(request.headers['prefer']),
        wantsEvents: wantsEvents(request.headers.accept),
      }
      return send(reply, await inTime(handle(input, ctx), seconds))
    },
  }
}

/** Fastify's own `handlerTimeout` stops its clock once a body has been read. */
async function inTime<T>(work: Promise<T>, seconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable()), seconds * 1000)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

function send(reply: FastifyReply, { status, body, headers = {} }: Answer): FastifyReply {
  reply.code(status).headers(headers)
  if (body === undefined) return reply.send()
  if ('events' in body) return sendEvents(reply, body)
  return reply.type('application/json; charset=utf-8').send('parts' in body ? joined(body, reply) : body)
}

/** As one where it is small. What is large is not copied once more: that costs more than to write it in pieces. */
function joined({ parts }: JsonText<unknown>, reply: FastifyReply): Buffer | Readable {
  const pieces = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < LARGE_BYTES) return Buffer.concat(pieces, length)
  reply.header('Content-Length', length)
  return Readable.from(pieces)
}

async function sessionOf(
  ctx: Context,
  request: FastifyRequest,
  { security, account }: { security: 'none' | 'optional' | 'bearer'; account: 'required' | 'optional' },
): Promise<Session | null> {
  const { authorization } = request.headers
  if (security === 'none' || (security === 'optional' && authorization === undefined)) return null
  const session = await authenticate(ctx, bearerToken(authorization), request.ip)
  if (session.user !== null) return session
  if (security === 'optional') return session
  if (account === 'required') throw userNotFound()
  return session
}

function bearerToken(authorization: string | undefined): Secret {
  if (authorization === undefined) throw unauthenticated('This needs a bearer token.')
  const token = /^bearer +([!-~]+)$/i.exec(authorization.trim())?.[1]
  if (!token) throw unauthenticated('The Authorization header does not hold a bearer token.')
  return new Secret(token)
}
