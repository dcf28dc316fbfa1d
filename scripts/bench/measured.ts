import type { AddressInfo, Server } from 'node:net'

/** Reports the port of a server to the bench and, on request, its CPU time. */
export function reportTo(server: Server): void {
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
  process.on('disconnect', () => process.exit())
  process.send?.({ port: (server.address() as AddressInfo).port })
}
