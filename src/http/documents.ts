import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contract } from '../contract.ts'
import { readProjectFile } from '../projectFiles.ts'
import { PAGE_HEADERS } from './securityHeaders.ts'

/** Headers of the connection, which the outer response sets itself. */
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

  let loading: Promise<FastifyInstance> | undefined
  /** Swagger UI is an app of its own, loaded with the first request for it, to start faster. */
  async function serveUi(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    loading ??= import('./swaggerUi.ts').then(({ createSwaggerUi }) => createSwaggerUi(contract))
    const ui = await loading
    const method = request.method as 'GET' | 'HEAD'
    const response = await ui.inject({ method, url: request.url, headers: request.headers })
    if (response.statusCode === 404) return reply.callNotFound()
    const headers = Object.entries(response.headers).filter(([name]) => !OWN_HEADERS.includes(name))
    return reply.code(response.statusCode).headers(Object.fromEntries(headers)).send(response.rawPayload)
  }
  app.get('/docs', serveUi)
  app.get('/docs/*', serveUi)
  app.addHook('onClose', async () => (await loading)?.close())
}
