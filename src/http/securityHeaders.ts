import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/**
 * The headers that keep browsers from doing harm with an answer: all of them for pages, those that mean something for
 * data. They are the same for all, so they are made once.
 */
export const PAGE_HEADERS = headersOf(
  helmet({
    // With none at all, browsers do not tell us either that a form was ours.
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  }),
)

const OF_DATA = ['content-security-policy', 'cross-origin-resource-policy', 'x-content-type-options']

export const DATA_HEADERS = Object.fromEntries(Object.entries(PAGE_HEADERS).filter(([name]) => OF_DATA.includes(name)))

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
