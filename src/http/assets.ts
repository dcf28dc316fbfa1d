import type { FastifyInstance } from 'fastify'
import { icon, script, stylesheet } from '../pages/assets.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'

export function serveAssets(app: FastifyInstance): void {
  for (const { path, type, text } of [stylesheet, script, icon])
    app.get(path, (_, reply) => reply.header('Cache-Control', IMMUTABLE).type(`${type}; charset=utf-8`).send(text))
}
