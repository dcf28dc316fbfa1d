import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai'
import { abortable } from '../abortable.ts'
import type { Secret } from '../secret.ts'
import { ModelUnavailable, PromptRefused } from './errors.ts'
import { type JsonSchema, plainSchema } from './schema.ts'

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

const LONGEST_RETRY_AFTER = 86_400
/** After a while the strictest way is tried again: one odd refusal is not for ever. */
const KEEP_TO_MILLISECONDS = 60 * 60_000

/**
 * How an answer in JSON is asked for. Servers differ in how much of a schema they take: the first way is the strictest,
 * and where a server refuses a request as such, the next one is tried and, once one works, kept to.
 */
const WAYS: ((call: ModelCall) => object)[] = [
  ({ schema, mostOutputTokens }) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    max_completion_tokens: mostOutputTokens,
  }),
  ({ schema, mostOutputTokens }) => ({
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: plainSchema(schema) },
    },
    max_completion_tokens: mostOutputTokens,
  }),
  ({ schema, mostOutputTokens }) => ({
    response_format: { type: 'json_object' },
    max_tokens: mostOutputTokens,
    asText: schema,
  }),
  ({ schema, mostOutputTokens }) => ({ max_tokens: mostOutputTokens, asText: schema }),
]

interface Server {
  apiKey: Secret
  baseUrl: URL | undefined
  secondsPerCall: number
}

/** Told what each call came to. */
export interface Watching {
  answered(call: ModelCall, answer: ModelAnswer, seconds: number): void
  failed(call: ModelCall, seconds: number): void
}

export function createModel(server: Server, watching: Watching): AskModel {
  const ask = asking(server)
  return async (call) => {
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    const answer = await ask(call).catch((error) => {
      watching.failed(call, seconds())
      throw error
    })
    watching.answered(call, answer, seconds())
    return answer
  }
}

function asking({ apiKey, baseUrl, secondsPerCall }: Server): AskModel {
  const timeout = secondsPerCall * 1000
  const client = new OpenAI({
    apiKey: apiKey.reveal(),
    ...(baseUrl && { baseURL: baseUrl.href }),
    maxRetries: 0,
    timeout,
    logLevel: 'off',
  })
  const ways = new Map<string, { way: number; until: number }>()
  return async (call) => {
    const former = ways.get(call.model)
    const known = former && former.until > Date.now() ? former : undefined
    for (let way = known?.way ?? 0; ; way++) {
      const outcome = await send(client, call, way, timeout)
      if (outcome !== 'refused') {
        ways.set(call.model, { way, until: known?.way === way ? known.until : Date.now() + KEEP_TO_MILLISECONDS })
        return outcome
      }
    }
  }
}

async function send(client: OpenAI, call: ModelCall, way: number, timeout: number): Promise<ModelAnswer | 'refused'> {
  const { asText, ...options } = (WAYS[way]?.(call) ?? {}) as { asText?: JsonSchema }
  const messages = asText ? withSchema(call.messages, asText) : call.messages
  try {
    // The SDK's own limit ends with the headers; this one, with the answer.
    const answer = await abortable({ milliseconds: timeout, signals: [call.signal] }, async (signal) =>
      client.chat.completions.create({ model: call.model, messages, stream: false, ...options }, { signal }),
    )
    return toAnswer(answer)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isRefusal(error)) throw unavailable(error)
    if (way < WAYS.length - 1 && !isAboutThePrompt(error)) return 'refused'
    throw new PromptRefused(`It answered ${error.status}.`)
  }
}

/** It says that the request is wrong: its form, or what it asks. */
function isRefusal(error: unknown): error is APIError {
  return error instanceof APIError && [400, 413, 422].includes(error.status ?? 0)
}

function isAboutThePrompt({ status, code }: APIError): boolean {
  return status === 413 || code === 'content_filter' || code === 'context_length_exceeded'
}

function withSchema([first, ...rest]: Message[], schema: JsonSchema): Message[] {
  const told = `${first?.content ?? ''}\n\nAnswer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`
  return [{ role: 'system', content: told }, ...rest]
}

function toAnswer({ choices, usage }: OpenAI.ChatCompletion): ModelAnswer {
  const choice = choices?.[0]
  return {
    content: textOf(choice?.message?.content),
    refusal: choice?.message?.refusal || (choice?.finish_reason === 'content_filter' ? 'It was filtered.' : null),
    cutOff: choice?.finish_reason === 'length',
    inputTokens: whole(usage?.prompt_tokens),
    outputTokens: whole(usage?.completion_tokens),
  }
}

/** Some servers answer in parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

function whole(count: unknown): number {
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : 0
}

/** Never with what the server said: that may quote the key or the prompt. */
function unavailable(error: unknown): ModelUnavailable {
  if (error instanceof APIUserAbortError || error instanceof APIConnectionError || !(error instanceof APIError))
    return new ModelUnavailable('It did not answer.', { silent: true, cause: nameOf(error) })
  const { status } = error
  return new ModelUnavailable(`It answered ${status}.`, {
    retryAfter: retryAfterOf(error),
    passing: status === undefined || status >= 500 || status === 429 || status === 408 || status === 409,
  })
}

function nameOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return [error instanceof Error ? error.name : typeof error, cause?.code].filter(Boolean).join(' ')
}

function retryAfterOf({ headers }: APIError): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (milliseconds >= 0) return Math.min(LONGEST_RETRY_AFTER, Math.max(1, Math.ceil(milliseconds / 1000)))
  const told = headers?.get('retry-after')
  if (!told) return undefined
  const seconds = Number.isNaN(Number(told)) ? (Date.parse(told) - Date.now()) / 1000 : Number(told)
  return Number.isFinite(seconds) ? Math.min(LONGEST_RETRY_AFTER, Math.max(1, Math.ceil(seconds))) : undefined
}
