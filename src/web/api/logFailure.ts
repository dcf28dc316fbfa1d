import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'

/**
 * Logs why a request gets a status of 500 or higher. A Problem without a cause is an expected refusal, such as that of a
 * draining node or an open circuit breaker: one line without an error is enough.
 */
export function logFailure({ log }: FastifyRequest, error: unknown, { code, message }: Problem): void {
  const isExpected = error instanceof Problem && error.cause === undefined
  if (isExpected) log.warn({ code }, message)
  else log.error({ err: error, code }, message)
}
