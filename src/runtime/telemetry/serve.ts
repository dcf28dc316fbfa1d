import { createServer, type Server } from 'node:http'
import Negotiator from 'negotiator'
import type { Metrics, MetricsFormat } from './metrics.ts'

interface ListenOptions {
  port: number
  address: string
}

/** Metrics for Prometheus on a port of their own, because they must not be public. */
export async function serveMetrics(metrics: Metrics, { port, address }: ListenOptions): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.print(formatFor(new Negotiator(request))).then(
      ({ text, contentType }) => response.writeHead(200, { 'content-type': contentType, vary: 'Accept' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, address, resolve)
  await promise
  return server
}

/** Prometheus prefers OpenMetrics, and names versions and escapings that are no reason to refuse it. */
function formatFor(accepted: Negotiator): MetricsFormat {
  const best = accepted
    .mediaTypes()
    .find((type) => /^(\*|text)\/\*$|^text\/plain$|^application\/openmetrics-text$/.test(type))
  return best === 'application/openmetrics-text' ? 'openMetrics' : 'text'
}
