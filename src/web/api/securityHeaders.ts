import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/**
 * Security headers: all of them for pages, the relevant ones for data. They are the same for all responses, so they are
 * computed once.
 */
export const PAGE_HEADERS = headersOf(
  helmet({
    // With `no-referrer`, browsers would hide the origin of our own forms too.
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  }),
)

const DATA_HEADER_NAMES = ['content-security-policy', 'cross-origin-resource-policy', 'x-content-type-options']

export const DATA_HEADERS = Object.fromEntries(
  Object.entries(PAGE_HEADERS).filter(([name]) => DATA_HEADER_NAMES.includes(name)),
)

function headersOf(apply: ReturnType<typeof helmet>): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  apply({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return headers
}
