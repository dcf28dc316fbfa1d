import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { parseHttpDate } from '../../lib/httpDate.ts'

interface Validators {
  etag: string
  lastModified?: Date
}

export function etagOf(parts: (string | Buffer)[]): string {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return `"${hash.digest('base64url')}"`
}

/**
 * Sends the text, or 304 to clients that already have it. `If-None-Match` overrides `If-Modified-Since`: RFC 9110,
 * section 13.2.2.
 */
export function sendUnlessKnown(
  reply: FastifyReply,
  { etag, lastModified }: Validators,
  textOf: () => unknown,
): FastifyReply {
  reply.header('ETag', etag)
  const { 'if-none-match': tags, 'if-modified-since': since } = reply.request.headers
  const isKnown = tags === undefined ? isUnmodified(lastModified, since) : matches(tags, etag)
  return isKnown ? reply.code(304).removeHeader('Content-Type').send() : reply.send(textOf())
}

function matches(ifNoneMatch: string, etag: string): boolean {
  const etags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return etags.includes(etag) || etags.includes('*')
}

/** Requires equal dates: each node has its own dates, so a later one may belong to other content. */
function isUnmodified(lastModified: Date | undefined, since: string | undefined): boolean {
  const date = since === undefined ? undefined : parseHttpDate(since)
  return date !== undefined && lastModified?.getTime() === date.getTime()
}
