import type { FastifyInstance } from 'fastify'

interface SpanOrigin {
  traceparent?: string | undefined
  attributes: Record<string, string>
}

export interface Tracing {
  traceRequests(app: FastifyInstance): void
  /** Records a query or an outbound call that has just ended. */
  recordSpan(name: string, seconds: number, attributes: Record<string, string | number>): void
  /** The active trace in W3C format, to continue it on another node. */
  traceparent(): string | undefined
  /** Runs work in a span that continues the trace of the request that asked for it. */
  within<T>(name: string, origin: SpanOrigin, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}
