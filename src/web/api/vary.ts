import type { FastifyReply } from 'fastify'

/** Adds to the header `Vary`, which CORS may have set already. */
export function addVary(reply: FastifyReply, ...names: string[]): FastifyReply {
  return reply.header('Vary', [reply.getHeader('Vary') ?? [], names].flat().join(', '))
}
