import type { RouteOptions } from 'fastify'
import { unavailable } from './problems.ts'

/** The default timeout of a request. */
export const HANDLER_SECONDS = 30

/** Makes a route answer 503 if its handler takes too long. */
export function addTimeout(route: RouteOptions, seconds = HANDLER_SECONDS): void {
  const { handler } = route
  route.handler = async function (request, reply) {
    return inTime(seconds, handler.call(this, request, reply))
  }
}

/** Rejects if the work takes too long. The work itself goes on. */
export async function inTime<T>(seconds: number, work: T | Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(unavailable()), seconds * 1000)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
