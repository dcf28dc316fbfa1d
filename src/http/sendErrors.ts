import { randomUUIDv7 } from 'node:crypto'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '../../generated/operations.ts'
import { Problem, statusOf } from '../errors.ts'
import { problemOf } from './problems.ts'

const FAULT = new Problem('INTERNAL_SERVER_ERROR', 'Something went wrong on our side.')
const CUT_OFF = new Problem('VALIDATION_ERROR', 'The request was cut off.')

/** The one place where an error becomes an answer. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = isCutOff(error, request) ? CUT_OFF : (problemOf(error) ?? FAULT)
  const status = statusOf[problem.code]
  if (status >= 500) request.log.error({ reqId: request.id, err: error, code: problem.code }, problem.message)
  // An address that cannot be parsed comes here past every hook.
  reply.header('X-Request-Id', request.id)
  if (status === 401) reply.header('WWW-Authenticate', challenge(problem, request))
  if (problem.retryAfter !== undefined) reply.header('Retry-After', problem.retryAfter)
  reply.code(status).type('application/json; charset=utf-8')
  const body = errorBody(problem, request.id)
  return status === 413 ? endLate(reply, JSON.stringify(body)) : reply.send(body)
}

const LAST_WORD_MS = 1000

/**
 * A connection that is closed while a body still arrives is reset, and what was answered is lost on many who were
 * sending: this answer is complete at once, but ends only when they had time to read it. What they go on sending is
 * not read meanwhile: that would cost others as much as if it were wanted.
 */
export function endLate(reply: FastifyReply, text: string): FastifyReply {
  async function* lateEnd() {
    yield text
    await sleep(LAST_WORD_MS, undefined, { ref: false })
  }
  reply.request.raw.pause()
  return reply.header('Content-Length', Buffer.byteLength(text)).send(Readable.from(lateEnd()))
}

/** The client left in the middle of its body. A fault of ours behind a client that has left stays a fault. */
function isCutOff(error: unknown, { raw }: FastifyRequest): boolean {
  return raw.aborted && !raw.complete && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
}

export function errorBody({ code, details, message }: Problem, requestId: string) {
  return { success: false, error: { code, ...(details && { details }), requestId }, message }
}

/** Only a bearer that was sent and refused is called invalid: a saved token's trouble is not the session's. */
function challenge({ code }: Problem, request: FastifyRequest): string {
  const refused = code === 'UNAUTHENTICATED' && request.headers.authorization !== undefined
  return `Bearer realm="pullpress"${refused ? ', error="invalid_token"' : ''}`
}

const paths = Map.groupBy(Object.values(operations), ({ path }) => path)
  .entries()
  .map(([path, rows]) => ({
    pattern: new RegExp(`^${path.replace(/{\w+}/g, '[^/]+')}$`),
    methods: rows.map((row) => row.method),
  }))
  .toArray()

/** 405 where the path exists with another method, 404 otherwise. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0] ?? ''
  const methods = paths.find(({ pattern }) => pattern.test(path))?.methods
  if (!methods || methods.some((method) => method === request.method))
    return sendError(new Problem('NOT_FOUND', 'There is nothing at this address. See /docs.'), request, reply)
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  reply.header('Allow', allowed)
  const message = `This address takes ${allowed}.`
  return sendError(new Problem('METHOD_NOT_ALLOWED', message), request, reply)
}

const ENDED_AT_ONCE = 20
const tooLate: [FastifyError, Socket][] = []

/** What cannot be read as HTTP, or does not come to its end. */
export function sendUnreadable(error: FastifyError, socket: Socket): void {
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return void endWithReason(error, socket)
  // Hundreds may be too late at once: a few in a turn of the event loop, so that nobody else waits for them.
  tooLate.push([error, socket])
  if (tooLate.length === 1) setImmediate(endTooLate)
}

function endTooLate(): void {
  for (const [error, socket] of tooLate.splice(0, ENDED_AT_ONCE)) endWithReason(error, socket)
  if (tooLate.length > 0) setImmediate(endTooLate)
}

/** There is no request to answer to: the envelope goes straight to the socket. */
function endWithReason({ code }: FastifyError, socket: Socket): void {
  // It has been told already.
  if (socket.writableEnded) return
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // Who does not close it either could go on sending for ever.
  setTimeout(() => socket.destroy(), LAST_WORD_MS).unref()
  const requestId = randomUUIDv7()
  const body = JSON.stringify(errorBody(reasons[code] ?? NO_HTTP, requestId))
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

const NO_HTTP = new Problem('VALIDATION_ERROR', 'The request cannot be read as HTTP.')
const reasons: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: new Problem('VALIDATION_ERROR', 'The headers are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('VALIDATION_ERROR', 'The request took too long to arrive.'),
}
