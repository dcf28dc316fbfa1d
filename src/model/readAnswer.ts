import { APIError } from 'openai'
import type { ModelAnswer, ModelCall } from './call.ts'
import { DONE } from './decodeEvents.ts'
import { ModelUnavailable } from './errors.ts'
import { readEvents } from './readEvents.ts'

/** Text has fewer; a server that sends more ignores the limit of tokens. */
const MAX_CHARACTERS_PER_TOKEN = 8
const IDLE_MS = 60_000
/** The token counts follow the text, and some servers leave the connection open after it. */
const AFTER_TEXT_MS = 2000

interface Received {
  content: string
  refusal: string
  finishReason: string | undefined
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown } | undefined
  isComplete: boolean
}

/** The parts of an event, or of a plain answer, that matter here. Servers differ: nothing is certain to be there. */
interface Event {
  error?: unknown
  usage?: Received['usage'] | null
  choices?: { delta?: Part; message?: Part; finish_reason?: string | null }[]
}
type Part = { content?: unknown; refusal?: unknown } | null

/** Reads an answer, streamed or plain, to its end. */
export async function readAnswer(
  { body, headers }: Response,
  { mostOutputTokens, onProgress }: Pick<ModelCall, 'mostOutputTokens' | 'onProgress'>,
): Promise<ModelAnswer> {
  const received: Received = { content: '', refusal: '', finishReason: undefined, usage: undefined, isComplete: false }
  const maxLength = mostOutputTokens * MAX_CHARACTERS_PER_TOKEN
  try {
    for await (const events of readEvents(body, () => idleLimit(received))) {
      const before = received.content.length
      for (const event of events) receive(received, event, headers)
      if (received.content.length > before) onProgress?.(received.content.length)
      if (received.content.length + received.refusal.length > maxLength) {
        received.content = received.content.slice(0, maxLength)
        received.refusal = received.refusal.slice(0, maxLength)
        received.finishReason = 'length'
        received.isComplete = true
        break
      }
    }
  } catch (error) {
    // The text is whole: whatever went wrong after it does not matter.
    if (!received.isComplete) throw error
  }
  if (!received.isComplete) throw new ModelUnavailable('Its answer broke off.', { silent: true })
  return toAnswer(received)
}

function idleLimit({ content, refusal, isComplete }: Received): number | undefined {
  if (isComplete) return AFTER_TEXT_MS
  // A model may think for as long as the call may take before it begins.
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
  received.refusal += textOf(part?.refusal)
  if (!choice?.finish_reason) return
  received.finishReason = choice.finish_reason
  received.isComplete = true
}

/** An error that came inside an answer, as if it had come as a status, where it names one. */
function errorOf(error: unknown, headers: Headers): APIError {
  const { code, param, message, status, status_code } = Object(error)
  const named = [code, status, status_code].map(Number).find((number) => number >= 400 && number < 600)
  const about = { code, param, message: textOf(message ?? error) || 'unknown' }
  return new APIError(named, about, undefined, headers)
}

/** Some servers answer in parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

function toAnswer({ content, refusal, finishReason, usage }: Received): ModelAnswer {
  return {
    content,
    refusal: refusal || (finishReason === 'content_filter' ? 'It was filtered.' : null),
    cutOff: finishReason === 'length',
    inputTokens: whole(usage?.prompt_tokens),
    outputTokens: whole(usage?.completion_tokens),
  }
}

function whole(count: unknown): number {
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : 0
}
