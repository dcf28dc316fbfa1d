import type { IncomingMessage } from 'node:http'
import type { FastifyCorsOptions } from '@fastify/cors'

const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'Link',
  'Location',
  'ETag',
  'WWW-Authenticate',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
]

/** CORS options. */
export function crossOrigin(origins: string[]): FastifyCorsOptions {
  return {
    origin: origins.includes('*') ? '*' : origins.map(toPattern),
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    strictPreflight: false,
  }
}

/** CORS headers for responses that are sent before any plugin runs. */
export function crossOriginHeaders({ headers }: IncomingMessage, origins: string[]): Record<string, string> {
  if (origins.length === 0) return {}
  const exposed = { 'Access-Control-Expose-Headers': EXPOSED.join(', ') }
  if (origins.includes('*')) return { 'Access-Control-Allow-Origin': '*', ...exposed }
  const { origin } = headers
  if (origin === undefined || !isAllowedOrigin(origin, origins)) return { Vary: 'Origin' }
  return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin', ...exposed }
}

/** Whether a page of this origin may call us. */
export function isAllowedOrigin(origin: string, origins: string[]): boolean {
  return origins.includes('*') || origins.some((allowed) => toPattern(allowed).test(origin))
}

/** The pattern of an allowed origin. `:*` at its end stands for any port. */
function toPattern(origin: string): RegExp {
  const escaped = origin.replace(/:\*$/, '').replace(/[.[\]]/g, '\\$&')
  return new RegExp(`^${escaped}${origin.endsWith(':*') ? '(:\\d+)?' : ''}$`)
}
