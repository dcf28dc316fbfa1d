import type { FastifyInstance } from 'fastify'
import { operations } from '../../../generated/operations.ts'
import type { Context } from '../../context.ts'
import { bind, hasBody } from './bind.ts'
import type { Handlers, OperationId } from './handler.ts'

/**
 * Serves the operations whose handlers read the body themselves: the content type parser passes it on unread.
 * `routes.json` does not contain these operations.
 */
export function serveRawOperations(ctx: Context, handlers: Handlers) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeContentTypeParser('application/json')
    // `destroyOnReturn` is off because the connection must stay open for an error response if the handler fails.
    app.addContentTypeParser('application/json', (request, payload, done) =>
      done(null, hasBody(request) ? payload.iterator({ destroyOnReturn: false }) : undefined),
    )
    for (const [operationId, { method, path, ...operation }] of Object.entries(operations))
      if ('rawBody' in operation) app.route({ method, url: path, ...bind(ctx, handlers, operationId as OperationId) })
  }
}
