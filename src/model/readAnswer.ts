import { APIError } from 'openai'
import type { ModelAnswer, ModelCall } from './call.ts'
import { DONE } from './decodeEvents.ts'
import { ModelUnavailable } from './errors.ts'
import { MAX_ANSWER_BYTES, readEvents } from './readEvents.ts'
import { type ReportedUsage, usageOf } from './usage.ts'

/** Real text has fewer characters per token. A server that sends more ignores the token limit. */
const MAX_CHARACTERS_PER_TOKEN = 8
const IDLE_MS = 60_000
/** How long to wait for the token counts after the text: some servers leave the connection open. */
const AFTER_TEXT_MS = 2000

interface Received {
  content: string
  /** The reasoning of the model. Some servers put the whole answer here. */
  reasoning: string
  refusal: string
  finishReason: string | undefined
  usage: ReportedUsage | undefined
  isComplete: boolean
}

/** The fields we use of an event or a plain answer. Servers differ, so any of them may be missing. */
interface Event {
  error?: unknown
  usage?: Received['usage'] | null
  choices?: { delta?: Part; message?: Part; finish_reason?: string | null }[]
}
type Part = { content?: unknown; reasoning_content?: unknown; reasoning?: unknown; refusal?: unknown } | null

interface Reading {
  maxOutputTokens: number
  maxBytes?: number | undefined
  onProgress?: ModelCall['onProgress'] | undefined
}

/** Reads a streamed or plain answer to its end. */
export async function readAnswer(
  { body, headers }: Response,
  { maxOutputTokens, maxBytes = MAX_ANSWER_BYTES, onProgress }: Reading,
): Promise<Omit<ModelAnswer, 'shape'>> {
  const received: Received = {
    content: '',
    reasoning: '',
    refusal: '',
    finishReason: undefined,
    usage: undefined,
    isComplete: false,
  }
  const maxLength = maxOutputTokens * MAX_CHARACTERS_PER_TOKEN
  try {
    for await (const events of readEvents(body, { maxBytes, idleMs: () => idleLimit(received) })) {
      const before = received.content.length
      for (const event of events) receive(received, event, headers)
      if (received.content.length > before) onProgress?.(received.content.length)
      if (received.content.length + received.reasoning.length + received.refusal.length > maxLength) {
        received.content = received.content.slice(0, maxLength)
        received.reasoning = received.reasoning.slice(0, maxLength)
        received.refusal = received.refusal.slice(0, maxLength)
        received.finishReason = 'length'
        received.isComplete = true
        break
      }
    }
  } catch (error) {
    // The text is complete, so later errors do not matter.
    if (!received.isComplete) throw error
  }
  if (!received.isComplete) throw new ModelUnavailable("The model's answer was incomplete.", { silent: true })
  return toAnswer(received)
}

function idleLimit({ content, refusal, isComplete }: Received): number | undefined {
  if (isComplete) return AFTER_TEXT_MS
  // Before the first text, only the timeout of the call applies: a model may think for long.
  return content || refusal ? IDLE_MS : undefined
}

function receive(received: Received, data: string, headers: Headers): void {
  if (data.trim() === DONE) {
    received.isComplete = true
    return
  }
  const event: Event | null = JSON.parse(data)
  if (event?.error) throw errorOf(event.error, headers)
  received.usage = event?.usage ?? received.usage
  const choice = event?.choices?.[0]
  const part = choice?.delta ?? choice?.message
  received.content += textOf(part?.content)
  received.reasoning += textOf(part?.reasoning_content ?? part?.reasoning)
  received.refusal += textOf(part?.refusal)
  if (!choice?.finish_reason) return
  received.finishReason = choice.finish_reason
  received.isComplete = true
}

/** Converts an error inside an answer to an APIError, with the status that it names, if any. */
function errorOf(error: unknown, headers: Headers): APIError {
  const { code, param, message, status, status_code } = Object(error)
  const namedStatus = [code, status, status_code].map(Number).find((number) => number >= 400 && number < 600)
  const about = { ...(typeof error === 'object' && error), code, param, message: textOf(message ?? error) || 'unknown' }
  return new APIError(namedStatus, about, undefined, headers)
}

/** Some servers send the content as an array of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

function toAnswer({ content, reasoning, refusal, finishReason, usage }: Received): Omit<ModelAnswer, 'shape'> {
  const cutOff = finishReason === 'length'
  return {
    content: content.trim() === '' && !cutOff ? reasoning : content,
    refusal: refusal || (finishReason === 'content_filter' ? 'The answer was filtered.' : null),
    cutOff,
    ...usageOf(usage),
  }
}
