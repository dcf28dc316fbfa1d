import type { RouteOptions } from 'fastify'
import { unavailable } from './problems.ts'

/** How long anything may take that is not said to take longer. */
export const HANDLER_SECONDS = 30

/** Has a route fail that does not answer in time. */
export function inTime(route: RouteOptions, seconds = HANDLER_SECONDS): void {
  const { handler } = route
  route.handler = async function (request, reply) {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(unavailable()), seconds * 1000)
    try {
      return await Promise.race([handler.call(this, request, reply), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
