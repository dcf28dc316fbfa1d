import type { ServerResponse } from 'node:http'
import type { ModelRequest } from '../fakeModel.ts'
import { DONE, sse, startStream } from '../fakeStream.ts'
import type { Refusal } from './rule.ts'

export function sendRefusal(response: ServerResponse, refusal: Refusal, { stream }: ModelRequest): unknown {
  const { status, body, isInsideAnswer } = refusal
  if (isInsideAnswer && stream) return startStream(response).end(sse(eventOf(body)) + DONE)
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function eventOf(body: object): object {
  const choices = [{ index: 0, delta: { content: '' }, finish_reason: 'error' }]
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'fake-model', ...body, choices }
}
