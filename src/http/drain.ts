import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * While the server closes, every response ends its connection, so that keep-alive does not keep the server open. Requests
 * that wait for jobs are answered at once, and connections that never sent a request are closed.
 */
export function drainOnClose(app: FastifyInstance, endAllWaits: () => void): void {
  const { server } = app
  let closing = false
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.addHook('preClose', async () => {
    closing = true
    endAllWaits()
  })
  const closeIdleConnections = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    closeIdleConnections()
    for (const socket of unused) socket.destroy()
  }
  app.addHook('onRequest', (request, _, done) => {
    unused.delete(request.raw.socket)
    done()
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (closing) reply.header('Connection', 'close')
    done()
  })
}

const IDLE_GRACE_MS = 500

/** Keeps idle connections open for a moment when the server closes: a request may be on its way on some of them. */
export function spareIdleConnections(server: Server): void {
  const close = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {}
  setTimeout(close, IDLE_GRACE_MS)
}
