import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Front = Awaited<ReturnType<typeof openFront>>

/** A load balancer: rotates over the nodes and skips those that refuse connections. */
export async function openFront(ports: () => number[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  let turn = 0
  let retries = 0

  function forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    body: Buffer,
    index: number,
    tries: number,
  ): void {
    const all = ports()
    const port = all[index % all.length] ?? 0
    const { method, url, headers } = incoming
    const forwarded = request({ agent, host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
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
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    await once(incoming, 'end')
    turn += 1
    forward(incoming, outgoing, Buffer.concat(chunks), turn, 2 * ports().length)
  })
  // Closing an idle connection just as it is reused would look like a fault.
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
