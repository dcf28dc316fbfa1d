import type { RequestShape } from './requestBody.ts'
import type { JsonSchema } from './schema.ts'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ModelCall {
  model: string
  messages: Message[]
  schema: JsonSchema
  /** The tokens of the messages by our own count. A server that reports far fewer may have cut them. */
  promptTokens: number
  maxOutputTokens: number
  signal: AbortSignal
  /** The processing tier, such as `flex`. Undefined: the server's default. */
  tier?: string | undefined
  /** The timeout, if not the usual one. */
  seconds?: number | undefined
  /** After an answer that did not fit the schema: the server ignores `response_format`. */
  schemaInPrompt?: boolean
  /** After an answer that spent all its tokens on reasoning. */
  lessReasoning?: boolean
  /** Called as text arrives, with the number of characters so far. */
  onProgress?(characters: number): void
}

export interface ModelAnswer {
  content: string
  refusal: string | null
  /** Whether the answer was cut off at the output limit. */
  cutOff: boolean
  inputTokens: number
  outputTokens: number
  /** How the call was sent, after what the server rejected. */
  shape: RequestShape
}

/** Sends one request and returns its answer, without retries or validation. */
export type AskModel = (call: ModelCall) => Promise<ModelAnswer>

/** Whether the model read the schema in its prompt, because its server does not apply schemas. */
export function hasSchemaInPrompt({ shape }: ModelAnswer): boolean {
  return shape.leftOut.has('schema')
}
