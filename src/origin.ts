import ipaddr from 'ipaddr.js'

/** One subscriber holds a whole /64 of IPv6 addresses. */
export function originOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip.kind() === 'ipv6' ? ip.toByteArray().slice(0, 8).join('.') : ip.toString()
}
