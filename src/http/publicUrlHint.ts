import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/**
 * Tells the operator, once, that browsers use https although the service does not know its public URL. Its links would
 * begin with http://, and signing in may be refused.
 */
export function hintAtPublicUrl({ config, log }: Context): (request: FastifyRequest) => void {
  let isNeeded = config.publicUrl === undefined
  return ({ headers, protocol }) => {
    if (!isNeeded || protocol === 'https' || !usesHttps(headers)) return
    isNeeded = false
    log.warn('Browsers use https, but the service does not know its public URL: set PUBLIC_URL and TRUSTED_PROXIES.')
  }
}

function usesHttps(headers: FastifyRequest['headers']): boolean {
  return String(headers['x-forwarded-proto']).startsWith('https') || Boolean(headers.origin?.startsWith('https://'))
}
