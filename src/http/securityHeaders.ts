import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

/** The headers that keep browsers from doing harm with an answer. They are the same for all, so they are made once. */
export function securityHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  const apply = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  })
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  apply({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return headers
}
