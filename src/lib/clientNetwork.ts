import ipaddr from 'ipaddr.js'

/** Some proxies name the port as well. */
const WITH_PORT = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/

/** One subscriber holds a whole /64 of IPv6 addresses. */
export function clientNetwork(given: string): string {
  const [, six, four] = WITH_PORT.exec(given) ?? []
  const address = six ?? four ?? given
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip.kind() === 'ipv6' ? ip.toByteArray().slice(0, 8).join('.') : ip.toString()
}
