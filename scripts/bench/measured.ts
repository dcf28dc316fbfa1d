import type { AddressInfo, Server } from 'node:net'

/** Tells the bench where a server listens and, whenever asked, how much processor time it has used. */
export function reportTo(server: Server): void {
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
  process.on('disconnect', () => process.exit())
  process.send?.({ port: (server.address() as AddressInfo).port })
}
