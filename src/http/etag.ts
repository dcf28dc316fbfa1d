import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** Sends a text with its ETag, or 304 if the client already has it. */
export function sendWithEtag(reply: FastifyReply, text: string): FastifyReply {
  const etag = `"${hash('sha1', text, 'base64url')}"`
  reply.header('ETag', etag)
  if (!matches(reply.request.headers['if-none-match'], etag)) return reply.send(text)
  return reply.code(304).removeHeader('Content-Type').send()
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}
