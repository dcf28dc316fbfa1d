import { createServer, type Server } from 'node:http'
import Negotiator from 'negotiator'
import type { Metrics, MetricsFormat } from './metrics.ts'

interface ListenOptions {
  port: number
  address: string
}

/** Serves metrics for Prometheus on a separate port, because they must not be public. */
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

/**
 * The format that a client accepts. Prometheus prefers OpenMetrics; the versions and escapings that it names are
 * ignored, because they are no reason to refuse the request.
 */
function formatFor(accepted: Negotiator): MetricsFormat {
  const best = accepted
    .mediaTypes()
    .find((type) => /^(\*|text)\/\*$|^text\/plain$|^application\/openmetrics-text$/.test(type))
  return best === 'application/openmetrics-text' ? 'openMetrics' : 'text'
}
