import { randomUUIDv7 } from 'node:crypto'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '../../../generated/operations.ts'
import { Problem, statusOf } from '../../errors.ts'
import { logFailure } from './logFailure.ts'
import { problemOf } from './problems.ts'

export const INTERNAL_ERROR = new Problem('INTERNAL_SERVER_ERROR', 'Something went wrong on our side.')
/** The client disconnected before it could be answered. */
export const CUT_OFF = new Problem('VALIDATION_ERROR', 'The request was cut off.')

/** The error to send for a thrown value. Logs errors with status 500 or higher. */
export function toProblem(error: unknown, request: FastifyRequest): Problem {
  const problem = isCutOff(error, request) ? CUT_OFF : (problemOf(error) ?? INTERNAL_ERROR)
  if (statusOf[problem.code] >= 500) logFailure(request, error, problem)
  return problem
}

/** The one place where errors become responses. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  toBody: (problem: Problem) => object = (problem) => errorBody(problem, request.id),
  challengeParameter = '',
): FastifyReply {
  const problem = toProblem(error, request)
  const status = statusOf[problem.code]
  // Set here, because no hook runs for a URL that cannot be parsed.
  reply.header('X-Request-Id', request.id)
  if (status === 401) reply.header('WWW-Authenticate', challenge(problem, request, challengeParameter))
  if (problem.retryAfter !== undefined) reply.header('Retry-After', problem.retryAfter)
  reply.code(status).type('application/json; charset=utf-8')
  const body = toBody(problem)
  return status === 413 ? sendAndLinger(reply, JSON.stringify(body)) : reply.send(body)
}

const LINGER_MS = 1000

/**
 * Closing a connection while its request body still arrives resets it, and many clients would lose the response. This
 * response is sent at once but ends a second later, so that they can read it. The rest of the body is not read meanwhile,
 * because that would cost as much as accepting it.
 */
export function sendAndLinger(reply: FastifyReply, text: string): FastifyReply {
  async function* textThenPause() {
    yield text
    await sleep(LINGER_MS, undefined, { ref: false })
  }
  reply.request.raw.pause()
  return reply
    .header('Connection', 'close')
    .header('Content-Length', Buffer.byteLength(text))
    .send(Readable.from(textThenPause()))
}

/**
 * Whether the client disconnected while it sent the body. Any other error stays an internal error, even if the client
 * has disconnected.
 */
function isCutOff(error: unknown, { raw }: FastifyRequest): boolean {
  return raw.aborted && !raw.complete && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
}

export function errorBody({ code, details, message }: Problem, requestId: string) {
  return { success: false, error: { code, ...(details && { details }), requestId }, message }
}

/**
 * The `WWW-Authenticate` header. `invalid_token` refers to the bearer token of the request, never to a stored code-host
 * token.
 */
function challenge({ code }: Problem, request: FastifyRequest, parameter: string): string {
  const refused = code === 'UNAUTHENTICATED' && request.headers.authorization !== undefined
  return ['Bearer realm="pullpress"', refused && 'error="invalid_token"', parameter].filter(Boolean).join(', ')
}

/** The path of MCP, which is not part of the contract because its protocol is defined elsewhere. */
export const MCP_PATH = '/mcp'

const paths = Map.groupBy([...Object.values(operations), { path: MCP_PATH, method: 'POST' }], ({ path }) => path)
  .entries()
  .map(([path, rows]) => ({
    pattern: new RegExp(`^${path.replace(/{\w+}/g, '[^/]+')}$`),
    methods: rows.map((row): string => row.method),
  }))
  .toArray()

/** The methods of the requested path; undefined if neither the contract nor MCP declares it. */
export function methodsAt({ url }: FastifyRequest): string[] | undefined {
  const path = url.split('?')[0] ?? ''
  return paths.find(({ pattern }) => pattern.test(path))?.methods
}

/** 405 if the path exists with another method, else 404. */
export function notFound(request: FastifyRequest, reply: FastifyReply): Problem {
  const methods = methodsAt(request)
  if (!methods || methods.some((method) => method === request.method))
    return new Problem('NOT_FOUND', 'There is nothing at this path. See /docs.')
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  reply.header('Allow', allowed)
  return new Problem('METHOD_NOT_ALLOWED', `This path allows ${allowed}.`)
}

const MAX_ENDED_PER_TURN = 20
const timedOut: [FastifyError, Socket][] = []

/** Answers requests that are not valid HTTP or do not arrive in time. */
export function sendBadRequest(error: FastifyError, socket: Socket): void {
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return void endWithError(error, socket)
  // Hundreds may time out at once: ending a few per turn of the event loop keeps other requests fast.
  timedOut.push([error, socket])
  if (timedOut.length === 1) setImmediate(endTimedOut)
}

function endTimedOut(): void {
  for (const [error, socket] of timedOut.splice(0, MAX_ENDED_PER_TURN)) endWithError(error, socket)
  if (timedOut.length > 0) setImmediate(endTimedOut)
}

/** Writes the error straight to the socket, because there is no Fastify reply. */
function endWithError({ code }: FastifyError, socket: Socket): void {
  // The request has already been answered.
  if (socket.writableEnded) return
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // Otherwise, a client that never closes its side of the connection could go on sending forever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  const requestId = randomUUIDv7()
  const body = JSON.stringify(errorBody(reasons[code] ?? INVALID_HTTP, requestId))
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

const INVALID_HTTP = new Problem('VALIDATION_ERROR', 'The request is not valid HTTP.')
const reasons: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: new Problem('VALIDATION_ERROR', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('VALIDATION_ERROR', 'The request took too long to arrive.'),
}
