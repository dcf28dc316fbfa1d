import type { FastifyInstance } from 'fastify'
import { card, icon, script, stylesheet } from './assets.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'

export function serveAssets(app: FastifyInstance): void {
  for (const { path, type, content } of [stylesheet, script, icon, card])
    app.get(path, (_, reply) => {
      reply.header('Cache-Control', IMMUTABLE).type(type)
      // Pages of other sites that show a link to us may embed it.
      if (path === card.path) reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
      return reply.send(content)
    })
}
