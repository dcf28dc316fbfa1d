import type { FastifyInstance } from 'fastify'

/** What follows a request through all that it takes. */
export interface Tracing {
  follow(app: FastifyInstance): void
  /** Something outside that was asked for what is being done, and has just answered. */
  past(name: string, seconds: number, attributes: Record<string, string | number>): void
  close(): Promise<void>
}
