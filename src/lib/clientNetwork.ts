import ipaddr from 'ipaddr.js'

/** An IP address with a port, which some proxies add. */
const WITH_PORT = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/

/** The key for limits by IP address: for IPv6 the /64, because one subscriber usually has a whole /64. */
export function clientNetwork(given: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(given) ?? []
  const address = ipv6 ?? ipv4 ?? given
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip.kind() === 'ipv6' ? ip.toByteArray().slice(0, 8).join('.') : ip.toString()
}
