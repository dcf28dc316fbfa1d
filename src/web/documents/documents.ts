import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contract } from '../../contract.ts'
import { loadOnce } from '../../lib/loadOnce.ts'
import { readProjectFile } from '../../projectFiles.ts'
import { PAGE_HEADERS } from '../api/securityHeaders.ts'

/** Headers of Swagger UI's response that are not copied, because the outer response sets its own. */
const OWN_HEADERS = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** The contract as YAML, as JSON and as Swagger UI. */
export async function serveDocuments(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(PAGE_HEADERS)
    done()
  })
  app.get('/openapi.yaml', (_, reply) =>
    reply.type('application/yaml; charset=utf-8').send(readProjectFile('openapi.yaml')),
  )
  app.get('/openapi.json', (_, reply) =>
    reply.type('application/json; charset=utf-8').send(readProjectFile('generated/contract.json')),
  )

  let ui: FastifyInstance | undefined
  /** Loads Swagger UI, a separate Fastify app, with the first request for it, so that the service starts faster. */
  const loadUi = loadOnce(async () => {
    const { createSwaggerUi } = await import('./swaggerUi.ts')
    ui = await createSwaggerUi(contract)
    return ui
  })
  async function serveUi(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const loaded = await loadUi()
    const method = request.method as 'GET' | 'HEAD'
    const response = await loaded.inject({ method, url: request.url, headers: request.headers })
    if (response.statusCode === 404) return reply.callNotFound()
    const headers = Object.entries(response.headers).filter(([name]) => !OWN_HEADERS.includes(name))
    return reply.code(response.statusCode).headers(Object.fromEntries(headers)).send(response.rawPayload)
  }
  app.get('/docs', serveUi)
  app.get('/docs/*', serveUi)
  app.addHook('onClose', async () => ui?.close())
}
