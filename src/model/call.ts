import type { JsonSchema } from './schema.ts'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ModelCall {
  model: string
  messages: Message[]
  schema: JsonSchema
  maxOutputTokens: number
  signal: AbortSignal
  /** Called as text arrives, with the number of characters so far. */
  onProgress?(characters: number): void
}

export interface ModelAnswer {
  content: string
  refusal: string | null
  /** Whether the answer was cut off at `maxOutputTokens`. */
  cutOff: boolean
  inputTokens: number
  outputTokens: number
}

/** Sends one request and returns its answer, without retries or validation. */
export type AskModel = (call: ModelCall) => Promise<ModelAnswer>
