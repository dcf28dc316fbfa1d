import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'
import { hasBody } from './bind.ts'
import { isNestedTooDeep } from './nesting.ts'
import { nestedTooDeep } from './rawBody.ts'

/** Accepts JSON bodies only. The Content-Type header of a request without a body is ignored. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') return done(null, undefined)
    if (isNestedTooDeep(body)) return done(nestedTooDeep())
    parse(request, body, done)
  })
  // Some clients send a media type without a body.
  app.addContentTypeParser('*', (request, _, done) => {
    if (!hasBody(request)) return done(null, undefined)
    done(new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'))
  })
}
