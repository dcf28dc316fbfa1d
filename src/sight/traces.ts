import type { FastifyInstance } from 'fastify'

/** What follows a request through all that it takes. */
export interface Tracing {
  follow(app: FastifyInstance): void
  /** Something outside that was asked for what is being done, and has just answered. */
  past(name: string, seconds: number, attributes: Record<string, string | number>): void
  /** Work that nobody's request waits for, with all that it takes. */
  within<T>(name: string, attributes: Record<string, string>, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}
