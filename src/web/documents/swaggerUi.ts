import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Contract } from '../../contract.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export async function createSwaggerUi(contract: Contract): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify()
  await app.register(swagger, { mode: 'static', specification: { document: contract as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: () => POLICY,
    uiConfig: { layout: 'BaseLayout', deepLinking: true },
    theme: { title: 'Pullpress API' },
  })
  return app
}
