import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { JsonText } from '../lib/jsonText.ts'
import { sendEvents } from './events.ts'
import type { Events } from './handler.ts'
import { unavailable } from './problems.ts'

const LARGE_BYTES = 64 * 1024
/** Of large answers: whoever reads slowly, or not at all, has us keep theirs. */
const MAX_BYTES_UNDER_WAY = 256 * 1024 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'

export interface HttpResponse {
  status: number
  body: object | JsonText<unknown> | Events | undefined
  headers?: Record<string, string>
  endsSession?: true
  sharedFor?: number
}

export function send(reply: FastifyReply, { status, body, headers, sharedFor }: HttpResponse): FastifyReply {
  reply.code(status)
  if (headers) reply.headers(headers)
  if (body === undefined) return reply.send()
  if ('events' in body) return sendEvents(reply, body)
  reply.header('Content-Type', JSON_TYPE)
  if (!('parts' in body)) return reply.send(body)
  const bytes = joined(body, reply)
  return sharedFor !== undefined && typeof bytes === 'string' ? share(reply, bytes, sharedFor) : reply.send(bytes)
}

/** As one where it is small. What is large is not copied once more: that costs more than to write it in pieces. */
function joined({ parts }: JsonText<unknown>, reply: FastifyReply): string | Buffer | Readable {
  let text = ''
  for (const part of parts) {
    if (typeof part !== 'string') return joinedBytes(parts, reply)
    text += part
  }
  return text
}

function joinedBytes(parts: JsonText<unknown>['parts'], reply: FastifyReply): Buffer | Readable {
  const pieces = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < LARGE_BYTES) return Buffer.concat(pieces, length)
  requireRoomFor(length, reply)
  reply.header('Content-Length', length)
  return Readable.from(pieces)
}

let bytesUnderWay = 0

function requireRoomFor(length: number, reply: FastifyReply): void {
  // Whoever has left is not told of again.
  if (reply.raw.closed) return
  if (bytesUnderWay + length > MAX_BYTES_UNDER_WAY) throw unavailable()
  bytesUnderWay += length
  reply.raw.once('close', () => {
    bytesUnderWay -= length
  })
}

/** What is the same for everyone may be kept by anyone between us and them, for whoever sends no token and no cookie either. */
function share(reply: FastifyReply, text: string, seconds: number): FastifyReply {
  const tag = `"${hash('sha1', text, 'base64url')}"`
  const varies = [reply.getHeader('Vary') ?? [], 'Authorization', 'Cookie'].flat().join(', ')
  reply.headers({ ETag: tag, 'Cache-Control': `public, max-age=${seconds}`, Vary: varies })
  if (!isKnown(reply.request.headers['if-none-match'], tag)) return reply.send(text)
  return reply.code(304).removeHeader('Content-Type').send()
}

function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return tags.includes(tag) || tags.includes('*')
}
