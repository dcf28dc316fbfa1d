import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'

interface Hint {
  applies(request: FastifyRequest): boolean
  text(request: FastifyRequest): string
}

/** Logs hints for the operator, each once, if requests come through a proxy that the configuration does not mention. */
export function hintAtProxy({ config: { publicUrl }, log }: Context): (request: FastifyRequest) => void {
  let hints = [publicUrl ? otherPublicUrl(publicUrl) : noPublicUrl, untrustedProxy]
  return (request) => {
    const applying = hints.filter(({ applies }) => applies(request))
    if (applying.length === 0) return
    hints = hints.filter((hint) => !applying.includes(hint))
    for (const { text } of applying) log.warn(text(request))
  }
}

/**
 * For browsers that use https while PUBLIC_URL is not set: links may then begin with http:// or with a name of the
 * internal network, and signing in may be refused.
 */
const noPublicUrl: Hint = {
  applies: ({ headers, protocol }) =>
    protocol === 'https' ||
    String(headers['x-forwarded-proto']).startsWith('https') ||
    Boolean(headers.origin?.startsWith('https://')),
  text: ({ protocol }) =>
    `Browsers use https, but the service does not know its public URL: set PUBLIC_URL${protocol === 'https' ? '' : ' and TRUSTED_PROXIES'}.`,
}

/**
 * For browsers that use another origin than PUBLIC_URL. The `Origin` counts only if it has the host of the request,
 * because any page can send an `Origin` of its own.
 */
function otherPublicUrl({ origin: known }: URL): Hint {
  return {
    applies: ({ headers: { origin, host } }) =>
      origin !== undefined && origin !== known && URL.parse(origin)?.host === host,
    text: ({ headers: { origin } }) =>
      `Browsers use ${URL.parse(origin ?? '')?.origin}, but PUBLIC_URL is ${known}: forms may be refused, and links lead elsewhere.`,
  }
}

const untrustedProxy: Hint = {
  // If the header is missing or ignored, the only IP address is that of the connection.
  applies: ({ headers, ips }) => Boolean(headers['x-forwarded-for']) && (ips === undefined || ips.length === 1),
  text: ({ ip }) =>
    `X-Forwarded-For is ignored, so all readers share the rate limits of ${ip}. If that is your proxy, add it to TRUSTED_PROXIES.`,
}
