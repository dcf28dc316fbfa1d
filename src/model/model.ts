import OpenAI, { APIError } from 'openai'
import { abortable } from '../lib/abortable.ts'
import type { Secret } from '../lib/secret.ts'
import { isAboutThePrompt, isRefusal, unavailable } from './apiErrors.ts'
import type { AskModel, ModelAnswer, ModelCall } from './call.ts'
import { ModelUnavailable, PromptRefused } from './errors.ts'
import { readAnswer } from './readAnswer.ts'
import { type Fetch, openTransport } from './transport.ts'
import { nextWay, requestBody, STRICTEST, type Way } from './ways.ts'

/** After a while the strictest way is tried again: one odd refusal is not for ever. */
const KEEP_TO_MS = 60 * 60_000

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

export interface Model {
  ask: AskModel
  /** Ends calls that are still under way and closes idle connections. */
  close(): Promise<void>
}

export function createModel(server: Server, watching: Watching): Model {
  const { fetch, close } = openTransport()
  return { ask: watched(asking(server, fetch), watching), close }
}

function watched(ask: AskModel, watching: Watching): AskModel {
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

function asking({ apiKey, baseUrl, secondsPerCall }: Server, fetch: Fetch): AskModel {
  const timeout = secondsPerCall * 1000
  const client = new OpenAI({
    apiKey: apiKey.reveal(),
    ...(baseUrl && { baseURL: baseUrl.href }),
    maxRetries: 0,
    timeout,
    logLevel: 'off',
    fetch,
  })
  const ways = new Map<string, { way: Way; until: number }>()
  return async (call) => {
    const former = ways.get(call.model)
    const known = former && former.until > Date.now() ? former : undefined
    // The SDK's own limit ends with the headers; this one covers all tries and the whole answer.
    return abortable({ milliseconds: timeout, signals: [call.signal] }, async (signal) => {
      for (let way = known?.way ?? STRICTEST; ; ) {
        const outcome = await send(client, call, way, signal).catch((error) => onFailure(error, call))
        if (!(outcome instanceof APIError)) {
          ways.set(call.model, { way, until: known?.way === way ? known.until : Date.now() + KEEP_TO_MS })
          return outcome
        }
        const next = isAboutThePrompt(outcome) ? undefined : nextWay(way, outcome, known !== undefined)
        if (!next) throw new PromptRefused(`It answered ${outcome.status}.`)
        way = next
      }
    })
  }
}

async function send(client: OpenAI, call: ModelCall, way: Way, signal: AbortSignal): Promise<ModelAnswer> {
  const response = await client.chat.completions.create(requestBody(call, way), { signal }).asResponse()
  return readAnswer(response, call)
}

/** Returns the server's refusal of a request as such, which another way of asking may avoid. */
function onFailure(error: unknown, { signal }: ModelCall): APIError {
  signal.throwIfAborted()
  if (isRefusal(error)) return error
  throw error instanceof ModelUnavailable ? error : unavailable(error)
}
