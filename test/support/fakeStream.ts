import type { ServerResponse } from 'node:http'

export interface Said {
  content?: string | null | undefined
  refusal?: string | null
  finish?: string
}

export const USAGE = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }
export const DONE = 'data: [DONE]\n\n'
const PIECE_CHARACTERS = 24

export function sse(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** One event of a streamed response. */
export function piece(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish, logprobs: null }]
  return sse({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'fake-model', choices })
}

export function usageEvent(): string {
  return sse({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, choices: [], usage: USAGE })
}

export function startStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

/** Streams the response in small pieces. */
export function stream(response: ServerResponse, said: Said, { includeUsage = false } = {}): unknown {
  const { content, refusal, finish = 'stop' } = said
  const pieces = content?.match(new RegExp(`[^]{1,${PIECE_CHARACTERS}}`, 'gu')) ?? []
  startStream(response).write(piece({ role: 'assistant', content: '' }))
  for (const text of pieces) response.write(piece({ content: text }))
  if (refusal) response.write(piece({ refusal }))
  response.write(piece({}, finish))
  if (includeUsage) response.write(usageEvent())
  return response.end(DONE)
}
