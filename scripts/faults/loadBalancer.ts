import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A load balancer: rotates over the nodes and skips those that refuse connections. */
export async function openLoadBalancer(ports: () => number[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  let next = 0
  let retries = 0

  function forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    body: Buffer,
    index: number,
    tries: number,
  ): void {
    const port = ports()[index % ports().length] ?? 0
    const { method, url: path, headers } = incoming
    const forwarded = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => outgoing.destroy()).pipe(outgoing)
    })
    forwarded.on('error', (error: NodeJS.ErrnoException) => {
      const wasRefused = error.code === 'ECONNREFUSED'
      const isRetryable = wasRefused || (forwarded.reusedSocket && method === 'GET')
      if (isRetryable && tries > 1) {
        if (!wasRefused) retries += 1
        return forward(incoming, outgoing, body, index + 1, tries - 1)
      }
      if (!outgoing.headersSent) outgoing.writeHead(502)
      outgoing.end()
    })
    forwarded.end(body)
  }

  const server = createServer(async (incoming, outgoing) => {
    forward(incoming, outgoing, await buffer(incoming), next++, 2 * ports().length)
  })
  // Long, because closing an idle connection just as it is reused would look like a fault.
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Number of requests sent again because their connection broke. */
    retries: () => retries,
    /** Connections to the nodes, active and idle. */
    connections: () => [agent.sockets, agent.freeSockets].flatMap((of) => Object.values(of).flat()).length,
    close(): void {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
