import type { RouteOptions } from 'fastify'
import { unavailable } from './problems.ts'

/** The default timeout of a request. */
export const HANDLER_SECONDS = 30

/** Makes a route answer 503 if its handler takes too long. */
export function addTimeout(route: RouteOptions, seconds = HANDLER_SECONDS): void {
  const { handler } = route
  route.handler = async function (request, reply) {
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(unavailable()), seconds * 1000)
    try {
      return await Promise.race([handler.call(this, request, reply), timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
