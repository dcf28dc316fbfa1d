import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Front = Awaited<ReturnType<typeof openFront>>

/** What stands before the nodes: each request goes to the next, and past one that takes no connections. */
export async function openFront(ports: () => number[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  let turn = 0
  let repeats = 0

  function forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    body: Buffer,
    place: number,
    tries: number,
  ): void {
    const all = ports()
    const port = all[place % all.length] ?? 0
    const { method, url, headers } = incoming
    const passed = request({ agent, host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => outgoing.destroy()).pipe(outgoing)
    })
    passed.on('error', (error: NodeJS.ErrnoException) => {
      const wasRefused = error.code === 'ECONNREFUSED'
      const mayBeRepeated = wasRefused || (passed.reusedSocket && method === 'GET')
      if (mayBeRepeated && tries > 1) {
        if (!wasRefused) repeats += 1
        return forward(incoming, outgoing, body, place + 1, tries - 1)
      }
      if (!outgoing.headersSent) outgoing.writeHead(502)
      outgoing.end()
    })
    passed.end(body)
  }

  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    await once(incoming, 'end')
    turn += 1
    forward(incoming, outgoing, Buffer.concat(chunks), turn, 2 * ports().length)
  })
  // A connection that is ended just when it is used again would look like a fault.
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many requests were sent again because their connection broke. */
    repeats: () => repeats,
    /** To the nodes, in use or kept. */
    connections: () => [agent.sockets, agent.freeSockets].flatMap((of) => Object.values(of).flat()).length,
    close(): void {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
