import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'

/** The origin that people know the service by. */
export function ownOrigin({ config }: Pick<Context, 'config'>, { protocol, host }: FastifyRequest): string {
  return config.publicUrl?.origin ?? `${protocol}://${host}`
}

/**
 * A browser sends its cookie along with what any page asks of us. What changes something is accepted from our own pages
 * alone: the browser says where it comes from, and no page can make it say otherwise.
 */
export function requireOwnOrigin(ctx: Pick<Context, 'config'>, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn = site === 'same-origin' || (site === undefined && origin === ownOrigin(ctx, request))
  if (!isOwn) throw new Problem('FORBIDDEN', 'With a cookie, this is accepted from our own pages alone.')
}
