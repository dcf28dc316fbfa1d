import type { FastifyInstance } from 'fastify'

/** While closing, every answer ends its connection, so that one kept alive does not keep the server open. */
export function drainOnClose(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_, reply) => {
    if (closing) reply.header('Connection', 'close')
  })
}
