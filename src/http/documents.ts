import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { contract, contractText } from '../contract.ts'

/** The contract for programs, and its pages for people. */
export async function serveDocuments(app: FastifyInstance): Promise<void> {
  app.get('/openapi.yaml', (_, reply) => reply.type('application/yaml; charset=utf-8').send(contractText))
  app.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(JSON.stringify(contract)))
  await app.register(swagger, { mode: 'static', specification: { document: contract as never } })
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, theme: { title: 'Pullpress API' } })
}
