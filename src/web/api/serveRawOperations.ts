import type { FastifyInstance } from 'fastify'
import { operations } from '../../../generated/operations.ts'
import type { Context } from '../../context.ts'
import { bind, hasBody } from './bind.ts'
import type { Handlers, OperationId } from './handler.ts'

/** Operations that read their body themselves, with a parser that does not. They are missing in `routes.json`. */
export function serveRawOperations(ctx: Context, handlers: Handlers) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeContentTypeParser('application/json')
    // If the handler fails, the connection must stay open for the error.
    app.addContentTypeParser('application/json', (request, payload, done) =>
      done(null, hasBody(request) ? payload.iterator({ destroyOnReturn: false }) : undefined),
    )
    for (const [operationId, { method, path, ...operation }] of Object.entries(operations))
      if ('rawBody' in operation) app.route({ method, url: path, ...bind(ctx, handlers, operationId as OperationId) })
  }
}
