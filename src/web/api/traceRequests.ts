import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ATTR_HTTP_REQUEST_METHOD, ATTR_HTTP_RESPONSE_STATUS_CODE } from '@opentelemetry/semantic-conventions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Opens a span for each request, in the caller's trace or a new one. OpenTelemetry's own instrumentations are not used,
 * because they would replace methods of Node's or Fastify's objects.
 */
export function traceRequests(app: FastifyInstance): void {
  const tracer = trace.getTracer('pullpress')
  app.addHook('onRequest', (request, reply, done) => {
    const attributes = { [ATTR_HTTP_REQUEST_METHOD]: request.method, 'pullpress.request_id': request.id }
    const parent = propagation.extract(ROOT_CONTEXT, request.headers)
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent)
    reply.raw.once('close', () => endSpan(span, request, reply))
    context.with(trace.setSpan(context.active(), span), done)
  })
}

function endSpan(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const { operationId, routeOptions } = request
  span.updateName(operationId ?? `${request.method} ${routeOptions.url ?? 'other'}`)
  if (reply.raw.headersSent) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, reply.statusCode)
  if (reply.raw.headersSent && reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
