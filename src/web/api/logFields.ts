import type { FastifyInstance } from 'fastify'
import { type LogFields, withLogFields } from '../../lib/logFields.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a request that failed before it was routed. */
    logFields: LogFields | null
  }
}

/** Adds the id of the request to all its log lines, with the user, job and repository as soon as these are known. */
export function addFieldsToLogs(app: FastifyInstance): void {
  app.decorateRequest('logFields', null)
  app.addHook('onRequest', (request, _, done) => {
    request.logFields = { reqId: request.id }
    withLogFields(request.logFields, done)
  })
  // The body arrives outside of the context that `onRequest` opened.
  app.addHook('preValidation', (request, _, done) => withLogFields(request.logFields ?? {}, done))
}
