import type { FastifyRequest } from 'fastify'
import { type Problem, statusOf } from '../../errors.ts'

/** Error codes: three that JSON-RPC defines, and the first of those that it leaves to servers. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INTERNAL_ERROR = -32_603
const SERVER_ERROR = -32_000

/** The body of an error response in the form of JSON-RPC. */
export function rpcError({ code, details, message }: Problem, { id: requestId, body }: FastifyRequest) {
  const data = { code, ...(details && { details }), requestId }
  return { jsonrpc: '2.0', id: rpcId(body), error: { code: numberOf(code, body), message, data } }
}

function numberOf(code: Problem['code'], body: unknown): number {
  if (statusOf[code] >= 500) return INTERNAL_ERROR
  if (code !== 'VALIDATION_ERROR') return SERVER_ERROR
  return body === undefined ? PARSE_ERROR : INVALID_REQUEST
}

/** The id of a message; null if it has none, or no valid one. */
export function rpcId(body: unknown): string | number | null {
  const { id } = (body ?? {}) as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
