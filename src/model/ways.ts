import type { APIError } from 'openai'
import type { Message, ModelCall } from './call.ts'
import type { JsonSchema } from './schema.ts'

/** The format and transport of a request, as indexes into the lists below. Servers differ in what they accept. */
export interface Way {
  format: number
  transport: number
  /** The first transport that the server has not rejected by name. */
  firstTransport: number
}

type Format = (call: ModelCall) => { messages: Message[]; [option: string]: unknown }

const FORMATS: Format[] = [
  ({ messages, schema, maxOutputTokens }) => ({
    messages,
    response_format: jsonSchema(schema),
    max_completion_tokens: maxOutputTokens,
  }),
  (call) => ({
    messages: withSchema(call),
    response_format: { type: 'json_object' },
    max_tokens: call.maxOutputTokens,
  }),
  (call) => ({ messages: withSchema(call), max_tokens: call.maxOutputTokens }),
]
const TRANSPORTS = [{ stream: true, stream_options: { include_usage: true } }, { stream: true }, { stream: false }]
const LAST_FORMAT = FORMATS.length - 1
const PLAIN = TRANSPORTS.length - 1

export const STRICTEST: Way = { format: 0, transport: 0, firstTransport: 0 }

export function requestBody(call: ModelCall, { format, transport }: Way) {
  return { model: call.model, ...TRANSPORTS[transport], ...(FORMATS[format]?.(call) ?? { messages: call.messages }) }
}

/**
 * The way to try after a rejection: without the part that the server names; otherwise first without streaming, then
 * with a looser format. Each step moves down the lists, so the number of attempts is bounded.
 */
export function nextWay(way: Way, refusal: APIError, isStreamingKnown: boolean): Way | undefined {
  const { format, transport, firstTransport } = way
  const named = namedPart(refusal.param) ?? namedPart(refusal.message)
  if (named === 'usage' && transport === 0) return { ...way, transport: 1, firstTransport: 1 }
  if (named === 'stream' && transport < PLAIN) return { ...way, transport: PLAIN, firstTransport: PLAIN }
  const isFormat = isStreamingKnown || (named === 'format' && format < LAST_FORMAT)
  if (!isFormat && transport < PLAIN) return { ...way, transport: transport + 1 }
  if (format === LAST_FORMAT) return undefined
  return { ...way, format: format + 1, transport: isFormat ? transport : firstTransport }
}

function namedPart(text: unknown): 'usage' | 'stream' | 'format' | undefined {
  if (typeof text !== 'string') return undefined
  if (/stream_options|include_usage/i.test(text)) return 'usage'
  if (/\bstream(ing)?\b/i.test(text)) return 'stream'
  return /response_format|json_schema|json_object|max_completion_tokens/i.test(text) ? 'format' : undefined
}

function jsonSchema(schema: JsonSchema) {
  return { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } }
}

function withSchema({ messages: [first, ...rest], schema }: ModelCall): Message[] {
  const content = `${first?.content ?? ''}\n\nAnswer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`
  return [{ role: 'system', content }, ...rest]
}
