import type { JsonSchema } from '../../../src/model/schema.ts'
import type { ModelRequest } from '../fakeModel.ts'
import type { Said } from '../fakeStream.ts'
import type { Tokenizer } from './tokenizer.ts'

/** A request as it arrives, with parameters that only some servers know. */
export interface ServerRequest extends ModelRequest {
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
  reasoning_effort?: string
  service_tier?: string
  store?: boolean
  prompt_cache_key?: string
}

/** The part of a request that the model reads. */
export interface Reading {
  request: ServerRequest
  messages: ServerRequest['messages']
  /** The schema that the server applies to the answer. Without one, the model keeps to a schema in the prompt. */
  schema: JsonSchema | undefined
  /** Whether the server forces the answer to be JSON. */
  isJson: boolean
  /** Whether a part of the prompt was dropped. */
  isCut: boolean
}

/** An answer with the token counts that the server sends; `usage` is null if it sends none. */
export type Reply = Said & { content: string | null; usage: NonNullable<Said['usage']> | null }

export interface Refusal {
  status: number
  body: Record<string, unknown>
  /** The server sends the error in the body of an answer with status 200. */
  isInsideAnswer?: boolean
}

/** One property of a model server. Any number of rules combine: the first refusal counts, all changes are applied. */
export interface Rule {
  /** How many tokens the server counts for one token of o200k. */
  tokenFactor?: number
  refuse?(request: ServerRequest, tokenizer: Tokenizer): Refusal | undefined
  /** Changes how the server reports a refusal. */
  report?(refusal: Refusal): Refusal
  read?(reading: Reading, tokenizer: Tokenizer): Reading
  reply?(reply: Reply, reading: Reading, tokenizer: Tokenizer): Reply
}

interface ErrorFields {
  param?: string | null
  code?: string | number | null
  type?: string | null
}

/** A refusal in the form of OpenAI. */
export function refusal(message: string, { param = null, code = null, type }: ErrorFields = {}, status = 400): Refusal {
  return { status, body: { error: { message, type: type ?? 'invalid_request_error', param, code } } }
}

/** The tokens that a request leaves for the answer. */
export function outputTokensOf({ max_completion_tokens, max_tokens }: ServerRequest): number {
  return max_completion_tokens ?? max_tokens ?? Number.POSITIVE_INFINITY
}

export function textOf(messages: ServerRequest['messages']): string {
  return messages.map(({ content }) => content).join('\n')
}

export const strictSchemaOf = ({ response_format: format }: ServerRequest): JsonSchema | undefined =>
  format?.type === 'json_schema' ? (format.json_schema?.schema as JsonSchema | undefined) : undefined
