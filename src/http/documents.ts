import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { contract, contractText } from '../contract.ts'
import { PAGE_HEADERS } from './securityHeaders.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The contract as YAML, as JSON and as Swagger UI. */
export async function serveDocuments(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(PAGE_HEADERS)
    done()
  })
  app.get('/openapi.yaml', (_, reply) => reply.type('application/yaml; charset=utf-8').send(contractText))
  const json = JSON.stringify(contract)
  app.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(json))
  await app.register(swagger, { mode: 'static', specification: { document: contract as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: () => POLICY,
    uiConfig: { layout: 'BaseLayout', deepLinking: true },
    theme: { title: 'Pullpress API' },
  })
}
