import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Events } from './handler.ts'

const RETRY_MS = 2000

/** Whether the `Accept` header prefers server-sent events. */
export function wantsEvents(accept: string | undefined): boolean {
  return /^\s*text\/event-stream\b/i.test(accept ?? '')
}

export function sendEvents(reply: FastifyReply, { events }: Events): FastifyReply {
  const disconnected = new AbortController()
  if (reply.raw.closed) disconnected.abort()
  reply.raw.once('close', () => disconnected.abort())
  const stream = Readable.from(serialize(events(disconnected.signal)))
  return reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no').send(stream)
}

async function* serialize(events: ReturnType<Events['events']>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`
  for await (const event of events)
    yield event ? `id: ${event.id}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n` : ': still here\n\n'
}
