import type { FastifyInstance } from 'fastify'

/**
 * While the server closes, every response ends its connection, so that keep-alive does not keep the server open. Requests
 * that wait for jobs are answered at once.
 */
export function drainOnClose(app: FastifyInstance, endAllWaits: () => void): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    endAllWaits()
  })
  app.addHook('onSend', (_, reply, __, done) => {
    if (closing) reply.header('Connection', 'close')
    done()
  })
}
