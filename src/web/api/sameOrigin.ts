import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { forbidden, Problem } from '../../errors.ts'
import { isAllowedOrigin } from './crossOrigin.ts'

/** The longest host name, with a port. */
const MAX_HOST_LENGTH = 253 + 6

/** The public origin of the service; empty if the Host header is not valid. */
export function publicOrigin({ config }: Pick<Context, 'config'>, { protocol, host }: FastifyRequest): string {
  if (config.publicUrl) return config.publicUrl.origin
  return (host.length <= MAX_HOST_LENGTH && URL.parse(`${protocol}://${host}`)?.origin) || ''
}

/** Whether browsers reach us over https, as far as we know. */
export function isSecure({ config }: Pick<Context, 'config'>, { protocol }: FastifyRequest): boolean {
  return (config.publicUrl?.protocol ?? `${protocol}:`) === 'https:'
}

/** Throws if the Host header is not valid. For responses that contain URLs of this service. */
export function requireValidHost(ctx: Pick<Context, 'config'>, request: FastifyRequest): void {
  if (!publicOrigin(ctx, request)) throw new Problem('VALIDATION_ERROR', 'The Host header is not a valid host name.')
}

/** Without PUBLIC_URL, a response contains URLs made of the request's Host header, so shared caches must not keep it. */
export function cacheControl({ config }: Pick<Context, 'config'>, seconds: number, isPrivate = false): string {
  return `${isPrivate || !config.publicUrl ? 'private' : 'public'}, max-age=${seconds}`
}

/** Whether a page of another origin triggered the request, as far as the browser says. */
export function isCrossSite({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'
}

/**
 * Prevents cross-site request forgery. Browsers send our cookie with requests of any page, so state-changing requests are
 * accepted only from our own pages. Browsers set these headers themselves, and pages cannot forge them.
 */
export function requireSameOrigin(ctx: Pick<Context, 'config'>, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isSameOrigin = site === 'same-origin' || (site === undefined && origin === publicOrigin(ctx, request))
  if (!isSameOrigin) throw forbidden('other_origin', 'With a session cookie, this is accepted only from our own pages.')
}

/**
 * Prevents DNS rebinding: pages may send requests only from our own origin and from CORS_ORIGINS. Without PUBLIC_URL,
 * our own origin is known from the Host header alone, which a page of a rebound name controls; it then must be
 * localhost or an IP address, because these cannot be rebound.
 */
export function requireKnownOrigin(ctx: Pick<Context, 'config'>, request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin === undefined || isAllowedOrigin(origin, ctx.config.corsOrigins)) return
  const isOwn = origin === publicOrigin(ctx, request) && (ctx.config.publicUrl !== undefined || isAddress(origin))
  if (!isOwn) throw forbidden('other_origin', 'Pages of this origin may not send requests here (CORS_ORIGINS).')
}

function isAddress(origin: string): boolean {
  const { hostname = '' } = URL.parse(origin) ?? {}
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
