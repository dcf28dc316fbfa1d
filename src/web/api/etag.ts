import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { parseHttpDate } from '../../lib/httpDate.ts'

interface Validators {
  etag: string
  lastModified?: Date
}

export function etagOf(text: string): string {
  return `"${hash('sha1', text, 'base64url')}"`
}

/** Sends a text with its ETag, or 304 if the client already has it. */
export function sendWithEtag(reply: FastifyReply, text: string): FastifyReply {
  return sendUnlessKnown(reply, text, { etag: etagOf(text) })
}

/** Sends 304 to clients that have the text. `If-None-Match` overrides `If-Modified-Since`: RFC 9110, section 13.2.2. */
export function sendUnlessKnown(reply: FastifyReply, text: string, { etag, lastModified }: Validators): FastifyReply {
  reply.header('ETag', etag)
  const { 'if-none-match': tags, 'if-modified-since': since } = reply.request.headers
  const isKnown = tags === undefined ? isUnmodified(lastModified, since) : matches(tags, etag)
  return isKnown ? reply.code(304).removeHeader('Content-Type').send() : reply.send(text)
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
