import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.ts'

interface ListenOptions {
  port: number
  address: string
}

/** Metrics for Prometheus on a port of their own, because they must not be public. */
export async function serveMetrics(metrics: Metrics, { port, address }: ListenOptions): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, address, resolve)
  await promise
  return server
}
