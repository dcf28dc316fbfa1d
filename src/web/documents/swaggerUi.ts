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

/**
 * The contract without the examples of optional parameters: Swagger UI fills all examples in, so that every list would
 * be asked for the page of a cursor that does not exist.
 */
export function withoutOptionalExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOptionalExamples)
  if (typeof value !== 'object' || value === null) return value
  const { in: place, required } = value as { in?: unknown; required?: unknown }
  const isOptional = (place === 'query' || place === 'header') && required !== true
  const kept = Object.entries(value).filter(([key]) => !(isOptional && key === 'examples'))
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutOptionalExamples(member)]))
}

/** Runs in the browser. Asks before it logs out: the token would be refused for good. */
function confirmLogOut<Sent extends { url?: string }>(request: Sent): Sent {
  const question = 'Log this token out? It is refused from then on, until the operator accepts it again.'
  const { confirm } = globalThis as unknown as { confirm(question: string): boolean }
  if (/\/auth\/logout$/.test(request.url ?? '') && !confirm(question)) throw new Error('Not sent.')
  return request
}

export async function createSwaggerUi(contract: Contract): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify()
  await app.register(swagger, {
    mode: 'static',
    specification: { document: withoutOptionalExamples(contract) as never },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: () => POLICY,
    uiConfig: { layout: 'BaseLayout', deepLinking: true, requestInterceptor: confirmLogOut },
    theme: { title: 'Pullpress API' },
  })
  return app
}
