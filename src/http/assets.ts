import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const stylesheet = readFileSync(new URL('../read/assets/reader.css', import.meta.url), 'utf8')

/** What pages are dressed in. */
export function serveAssets(app: FastifyInstance): void {
  app.get('/read/assets/reader.css', (_, reply) =>
    reply.header('Cache-Control', 'public, max-age=3600').type('text/css; charset=utf-8').send(stylesheet),
  )
}
