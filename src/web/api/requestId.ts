import { randomUUIDv7 } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/** Fits the contract, and is safe in logs and headers. Ids of proxies are UUIDs or other short texts. */
const ID = /^[\w.-]{1,64}$/

/** Keeps the id that a trusted proxy has given a request, so that its log and ours fit together. Others get a new one. */
export function requestIds(trustedProxies: string[]): (request: IncomingMessage) => string {
  const ranges = trustedProxies.map((text) =>
    text.includes('/') ? ipaddr.parseCIDR(text) : ([ipaddr.process(text), undefined] as const),
  )
  const isTrusted = (address: string) => {
    if (!ipaddr.isValid(address)) return false
    const ip = ipaddr.process(address)
    return ranges.some(
      ([range, bits]) => range.kind() === ip.kind() && ip.match(range, bits ?? range.toByteArray().length * 8),
    )
  }
  return ({ headers, socket }) => {
    const given = headers['x-request-id']
    const isKept = typeof given === 'string' && ID.test(given) && isTrusted(socket.remoteAddress ?? '')
    return isKept ? given : randomUUIDv7()
  }
}
