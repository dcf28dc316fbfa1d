import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tracing } from './traces.ts'

/** The W3C format of a caller's trace. */
const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

const MAX_CLOSING_MS = 1000

/** Sends the traces of requests and jobs to a collector, with their queries, host calls and model calls. */
export function startTracing(endpoint: URL): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const exporter = new OTLPTraceExporter({ url: `${endpoint.href.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'pullpress' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('pullpress')

  function startSpan(request: FastifyRequest): Span {
    const parent = parentContext(request.headers['traceparent'])
    const attributes = { 'http.request.method': request.method, 'pullpress.request_id': request.id }
    return tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent)
  }

  function endSpan(span: Span, request: FastifyRequest, reply: FastifyReply): void {
    const { operationId, routeOptions } = request
    span.updateName(operationId ?? `${request.method} ${routeOptions.url ?? 'other'}`)
    if (reply.raw.headersSent) span.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.raw.headersSent && reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  return {
    traceRequests(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, done) => {
        const span = startSpan(request)
        reply.raw.once('close', () => endSpan(span, request, reply))
        context.with(trace.setSpan(context.active(), span), done)
      })
    },
    recordSpan(name, seconds, attributes) {
      if (!trace.getActiveSpan()) return
      const startTime = Date.now() - seconds * 1000
      tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime }).end()
    },
    traceparent() {
      const span = trace.getActiveSpan()?.spanContext()
      return span && `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
    },
    async within(name, { traceparent, attributes }, work) {
      const parent = parentContext(traceparent)
      const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, parent)
      return context.with(trace.setSpan(parent, span), work).finally(() => span.end())
    },
    async close() {
      const closing = provider.shutdown().catch(() => {})
      await Promise.race([closing, sleep(MAX_CLOSING_MS, undefined, { ref: false })])
    },
  }
}

/** Continues the caller's trace, or starts a new one. */
function parentContext(traceparent: unknown): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(String(traceparent ?? '')) ?? []
  if (!traceId || !spanId) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags ?? '01', 16)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
