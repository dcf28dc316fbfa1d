import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/**
 * One line a request. The query is left out: people put secrets there. What is logged is named one by one, so nothing
 * need be looked through for more.
 */
export function requestLog(log: Logger): (request: FastifyRequest, reply: FastifyReply) => void {
  const plain = log.child({}, { redact: [] })
  return (request, reply) => {
    const { id, operationId, identity, method, url, ip } = request
    const end = url.indexOf('?')
    plain.info(
      {
        reqId: id,
        operationId,
        userId: identity?.userId,
        method,
        path: end === -1 ? url : url.slice(0, end),
        status: reply.statusCode,
        address: ip,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  }
}
