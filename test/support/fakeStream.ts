import type { ServerResponse } from 'node:http'
import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { CompletionUsage } from 'openai/resources/completions'

export interface Said {
  content?: string | null | undefined
  refusal?: string | null
  finish?: string
  /** The field that holds the text. Default: `content`. */
  field?: 'reasoning_content' | 'reasoning'
  /** Null if the server sends no token counts. */
  usage?: CompletionUsage | null
  /** A comment at the start of the stream, as servers send to keep the connection alive. */
  comment?: string
}

export const USAGE: CompletionUsage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }
export const DONE = 'data: [DONE]\n\n'
const PIECE_CHARACTERS = 24

export function sse(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** One event of a streamed response. */
export function piece(delta: object, finish: string | null = null): string {
  const finish_reason = finish as ChatCompletionChunk.Choice['finish_reason']
  return sse(chunk([{ index: 0, delta, finish_reason, logprobs: null }]))
}

export function usageEvent(usage = USAGE): string {
  return sse({ ...chunk([]), usage })
}

function chunk(choices: ChatCompletionChunk.Choice[]): ChatCompletionChunk {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'fake-model', choices }
}

export function startStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

/** Streams the response in small pieces. */
export function stream(response: ServerResponse, said: Said, { includeUsage = false } = {}): unknown {
  const { content, refusal, finish = 'stop', field = 'content', usage = USAGE, comment } = said
  const pieces = content?.match(new RegExp(`[^]{1,${PIECE_CHARACTERS}}`, 'gu')) ?? []
  startStream(response)
  if (comment) response.write(`: ${comment}\n\n`)
  response.write(piece({ role: 'assistant', content: '' }))
  for (const text of pieces) response.write(piece({ [field]: text }))
  if (refusal) response.write(piece({ refusal }))
  response.write(piece({}, finish))
  if (includeUsage && usage) response.write(usageEvent(usage))
  return response.end(DONE)
}
