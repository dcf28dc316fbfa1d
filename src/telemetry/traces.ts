import type { FastifyInstance } from 'fastify'

interface Asked {
  traceparent?: string | undefined
  attributes: Record<string, string>
}

/** What follows a request through all that it takes. */
export interface Tracing {
  follow(app: FastifyInstance): void
  /** Something outside that was asked for what is being done, and has just answered. */
  past(name: string, seconds: number, attributes: Record<string, string | number>): void
  /** By what others may go on with the trace of what is being done, as W3C writes it. */
  traceparent(): string | undefined
  /** Work that was asked for elsewhere, with all that it takes. */
  within<T>(name: string, asked: Asked, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}
