import { setTimeout as sleep } from 'node:timers/promises'
import { context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions'

const MAX_CLOSING_MS = 1000

interface SpanOrigin {
  traceparent?: string | undefined
  attributes: Record<string, string>
}

export interface Tracing {
  /** Records a query or an outbound call that has just ended. */
  recordSpan(name: string, seconds: number, attributes: Record<string, string | number>): void
  /** The active trace in W3C format, to continue it on another node. */
  traceparent(): string | undefined
  /** Runs work in a span that continues the trace of the request that asked for the work. */
  within<T>(name: string, origin: SpanOrigin, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Sends the traces of requests and jobs to a collector, with their queries, host calls and model calls. */
export function startTracing(endpoint: URL): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const exporter = new OTLPTraceExporter({ url: `${endpoint.href.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'pullpress' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  trace.setGlobalTracerProvider(provider)
  const tracer = trace.getTracer('pullpress')
  return {
    recordSpan(name, seconds, attributes) {
      if (!trace.getActiveSpan()) return
      const startTime = Date.now() - seconds * 1000
      tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime }).end()
    },
    traceparent() {
      const carrier: { traceparent?: string } = {}
      propagation.inject(context.active(), carrier)
      return carrier.traceparent
    },
    async within(name, { traceparent, attributes }, work) {
      const parent = propagation.extract(ROOT_CONTEXT, { traceparent })
      const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, parent)
      return context.with(trace.setSpan(parent, span), work).finally(() => span.end())
    },
    async close() {
      const closing = provider.shutdown().catch(() => {})
      await Promise.race([closing, sleep(MAX_CLOSING_MS, undefined, { ref: false })])
    },
  }
}
