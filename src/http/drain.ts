import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * While closing, every answer ends its connection, so that one kept alive does not keep the server open, nobody is kept
 * waiting for what takes long, and connections on which nothing was ever asked are ended.
 */
export function drainOnClose(app: FastifyInstance, letGo: () => void): void {
  const { server } = app
  let closing = false
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.addHook('preClose', async () => {
    closing = true
    letGo()
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

const SPARED_MS = 500

/** Has connections that are kept stay for a while when the server closes: on some of them a request is on its way. */
export function spareIdleConnections(server: Server): void {
  const close = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {}
  setTimeout(close, SPARED_MS)
}
