import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'

/** What a page of another origin had the browser ask. */
export class CrossOriginRequest extends Problem {}

/** The origin that people know the service by; empty where they came by what cannot be one. */
export function publicOrigin({ config }: Pick<Context, 'config'>, { protocol, host }: FastifyRequest): string {
  return (config.publicUrl ?? URL.parse(`${protocol}://${host}`))?.origin ?? ''
}

/** For what holds our own addresses. */
export function requireValidHost(ctx: Pick<Context, 'config'>, request: FastifyRequest): void {
  if (!publicOrigin(ctx, request)) throw new Problem('VALIDATION_ERROR', 'The Host header is not the name of a host.')
}

/** Where the addresses in an answer are only what the visitor called us by, nobody else shall be shown it. */
export function cacheControl({ config }: Pick<Context, 'config'>, seconds: number, isOwn = false): string {
  return `${isOwn || !config.publicUrl ? 'private' : 'public'}, max-age=${seconds}`
}

/** Whether a page of another site had the browser ask, as far as the browser tells. */
export function isCrossSite({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'
}

/**
 * A browser sends its cookie along with what any page asks of us. What changes something is accepted from our own pages
 * alone: the browser says where it comes from, and no page can make it say otherwise.
 */
export function requireSameOrigin(ctx: Pick<Context, 'config'>, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn = site === 'same-origin' || (site === undefined && origin === publicOrigin(ctx, request))
  if (!isOwn) throw new CrossOriginRequest('FORBIDDEN', 'With a cookie, this is accepted from our own pages alone.')
}
