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
  /** The tokens of the messages by our own count. A server that reports far fewer tokens may have cut the prompt. */
  promptTokens: number
  maxOutputTokens: number
  signal: AbortSignal
  /** The processing tier, such as `flex`. Undefined: the server's default. */
  tier?: string | undefined
  /** The timeout. Default: MODEL_SECONDS_PER_CALL. */
  seconds?: number | undefined
  /**
   * Puts the schema into the prompt. Set after an answer that did not fit the schema: the server ignores
   * `response_format`.
   */
  schemaInPrompt?: boolean
  /**
   * Whether the call is a test (canary) that only asks for words in its prompt, to see whether the prompt arrives
   * whole.
   */
  isCanary?: boolean
  /**
   * The shape of an earlier call whose answer used all its output tokens for reasoning. This call asks for less
   * reasoning or allows more output tokens.
   */
  blank?: RequestShape
  /** Called as text arrives, with the number of characters so far. */
  onProgress?(characters: number): void
}

/** The tokens that a server counted; 0 where it reports none. */
export interface Usage {
  inputTokens: number
  outputTokens: number
  /** The input tokens that were read from the server's prompt cache, and those that were written to it. */
  cachedTokens: number
  cacheWriteTokens: number
  /** The output tokens that were spent on reasoning. */
  reasoningTokens: number
}

export interface ModelAnswer extends Usage {
  content: string
  refusal: string | null
  /** Whether the answer was cut off at the output limit. */
  cutOff: boolean
  /** How the call was sent in the end, without the parts that the server rejected. */
  shape: RequestShape
}

/** Sends one request and returns its answer, without retries or validation. */
export type AskModel = (call: ModelCall) => Promise<ModelAnswer>

/** Whether the model read the schema in its prompt, because its server does not apply schemas. */
export function hasSchemaInPrompt({ shape }: ModelAnswer): boolean {
  return shape.leftOut.has('schema')
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  }
}
