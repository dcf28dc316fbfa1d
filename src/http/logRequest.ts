import type { FastifyReply, FastifyRequest } from 'fastify'

/** One line a request. The query is left out: people put secrets there. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      operationId: request.operationId,
      userId: request.identity?.userId,
      method: request.method,
      path: request.url.split('?')[0],
      status: reply.statusCode,
      address: request.ip,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  )
}
