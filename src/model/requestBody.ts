import type { Message, ModelCall } from './call.ts'
import type { JsonSchema } from './schema.ts'

/** What a request may hold besides model and messages. Servers differ in what they accept. */
export type RequestPart =
  | 'store'
  | 'effort'
  | 'tier'
  | 'usage'
  | 'stream'
  | 'completionTokens'
  | 'maxTokens'
  | 'strict'
  | 'schema'
  | 'json'

/** How a call is sent. */
export interface RequestShape {
  leftOut: ReadonlySet<RequestPart>
  maxOutputTokens: number
  effort: string | undefined
}

/** The parts that a call has in this shape. */
export function partsOf({ tier }: ModelCall, { leftOut, effort }: RequestShape): RequestPart[] {
  const has = (part: RequestPart) => !leftOut.has(part)
  const parts: RequestPart[] = []
  if (has('store')) parts.push('store')
  if (effort !== undefined && has('effort')) parts.push('effort')
  if (tier !== undefined && has('tier')) parts.push('tier')
  if (has('stream')) parts.push('stream')
  if (has('stream') && has('usage')) parts.push('usage')
  if (has('completionTokens')) parts.push('completionTokens')
  else if (has('maxTokens')) parts.push('maxTokens')
  if (has('schema')) parts.push('schema', ...(has('strict') ? ['strict' as const] : []))
  else if (has('json')) parts.push('json')
  return parts
}

export function requestBody(call: ModelCall, shape: RequestShape) {
  const parts = partsOf(call, shape)
  const has = (part: RequestPart) => parts.includes(part)
  return {
    model: call.model,
    messages: has('schema') ? call.messages : withSchema(call),
    // If an account's default is `store: true`, the server would keep chat completions with private code for 30 days.
    ...(has('store') && { store: false }),
    ...(has('effort') && { reasoning_effort: shape.effort }),
    ...(has('tier') && { service_tier: call.tier }),
    ...(has('stream') && { stream: true }),
    ...(has('usage') && { stream_options: { include_usage: true } }),
    ...(has('completionTokens') && { max_completion_tokens: shape.maxOutputTokens }),
    ...(has('maxTokens') && { max_tokens: shape.maxOutputTokens }),
    ...(has('schema') && { response_format: jsonSchema(call.schema, has('strict')) }),
    ...(has('json') && { response_format: { type: 'json_object' } }),
  }
}

function jsonSchema(schema: JsonSchema, isStrict: boolean) {
  return { type: 'json_schema', json_schema: { name: 'answer', ...(isStrict && { strict: true }), schema } }
}

function withSchema({ messages: [first, ...rest], schema }: ModelCall): Message[] {
  const content = `${first?.content ?? ''}\n\nAnswer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`
  return [{ role: 'system', content }, ...rest]
}
