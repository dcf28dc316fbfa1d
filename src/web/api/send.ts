import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { JsonText } from '../../lib/jsonText.ts'
import { etagOf, sendUnlessKnown } from './etag.ts'
import { sendEvents } from './events.ts'
import type { Events, Text } from './handler.ts'
import { unavailable } from './problems.ts'
import { addVary } from './vary.ts'

const LARGE_BYTES = 64 * 1024
/** Limit of all large responses together, because responses to slow clients stay in memory. */
const MAX_BYTES_IN_FLIGHT = 256 * 1024 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'

export interface HttpResponse {
  status: number
  body: object | JsonText<unknown> | Events | Text | undefined
  headers?: Record<string, string>
  endsSession?: true
  nextCursor?: string | null
}

/** Who may keep a response in a cache, to ask with its ETag whether it is still current. */
export type CachedBy = 'public' | 'private'

export function send(reply: FastifyReply, { status, body, headers }: HttpResponse, cachedBy?: CachedBy): FastifyReply {
  reply.code(status)
  if (headers) reply.headers(headers)
  if (body === undefined) return reply.send()
  if ('events' in body) return sendEvents(reply, body)
  reply.header('Content-Type', isText(body) ? `${body.type}; charset=utf-8` : JSON_TYPE)
  if (cachedBy === undefined) return reply.send('parts' in body ? join(body, reply) : body)
  const parts = partsOf(reply, status, body)
  addVary(reply, 'Authorization', 'Cookie', 'Accept', 'Accept-Language', 'Prefer')
  reply.header('Cache-Control', `${cachedBy}, no-cache`)
  return sendUnlessKnown(reply, { etag: etagOf(parts) }, () => join({ parts }, reply))
}

function partsOf(reply: FastifyReply, status: number, body: object): JsonText<unknown>['parts'] {
  if ('parts' in body) return (body as JsonText<unknown>).parts
  return [isText(body) ? body.text : serialized(reply, status, body)]
}

function isText(body: object): body is Text {
  return 'type' in body && 'text' in body && !('success' in body)
}

/** Serializes by the schema of the response. `reply.serialize` would not find it, because it passes no content type. */
function serialized(reply: FastifyReply, status: number, body: object): string {
  const serialize = reply.getSerializationFunction(String(status), 'application/json')
  return serialize ? serialize({ ...body }) : JSON.stringify(body)
}

/**
 * Joins the parts of a small body. Writes those of a large body one by one, because joining would copy them once more.
 */
function join({ parts }: JsonText<unknown>, reply: FastifyReply): string | Buffer | Readable {
  let text = ''
  for (const part of parts) {
    if (typeof part !== 'string') return joinBytes(parts, reply)
    text += part
  }
  return text
}

function joinBytes(parts: JsonText<unknown>['parts'], reply: FastifyReply): Buffer | Readable {
  const pieces = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length < LARGE_BYTES) return Buffer.concat(pieces, length)
  requireRoomFor(length, reply)
  reply.header('Content-Length', length)
  return Readable.from(pieces)
}

let bytesInFlight = 0

function requireRoomFor(length: number, reply: FastifyReply): void {
  // If the connection is already closed, 'close' is not emitted again, and the bytes would count forever.
  if (reply.raw.closed) return
  if (bytesInFlight + length > MAX_BYTES_IN_FLIGHT) throw unavailable()
  bytesInFlight += length
  reply.raw.once('close', () => {
    bytesInFlight -= length
  })
}
