import type { JsonSchema } from './schema.ts'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ModelCall {
  model: string
  messages: Message[]
  schema: JsonSchema
  mostOutputTokens: number
  signal: AbortSignal
  /** Called as text arrives, with the number of characters so far. */
  onProgress?(characters: number): void
}

export interface ModelAnswer {
  content: string
  refusal: string | null
  /** Whether it was cut off at the most tokens it may take. */
  cutOff: boolean
  inputTokens: number
  outputTokens: number
}

/** One question, one answer: no retries, no judgement of what is answered. */
export type AskModel = (call: ModelCall) => Promise<ModelAnswer>
