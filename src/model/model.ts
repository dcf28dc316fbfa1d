import OpenAI, { APIError } from 'openai'
import { abortable } from '../lib/abortable.ts'
import type { Secret } from '../lib/secret.ts'
import { isAboutThePrompt, isRefusal, unavailable } from './apiErrors.ts'
import type { AskModel, ModelAnswer, ModelCall } from './call.ts'
import { ModelUnavailable, PromptRefused } from './errors.ts'
import { readAnswer } from './readAnswer.ts'
import { type Fetch, openTransport } from './transport.ts'
import { nextWay, requestBody, STRICTEST, type Way } from './ways.ts'

/** Retry the strictest request format after an hour, because a rejection may have been a one-off. */
const WAY_TTL_MS = 60 * 60_000

export interface Server {
  apiKey: Secret
  baseUrl: URL | undefined
  secondsPerCall: number
}

/** Receives the outcome of each call. */
export interface Watching {
  answered(call: ModelCall, answer: ModelAnswer, seconds: number): void
  failed(call: ModelCall, seconds: number): void
}

export interface Model {
  ask: AskModel
  /** Aborts running calls and closes idle connections. */
  close(): Promise<void>
}

export function createModel(server: Server, watching: Watching): Model {
  const { fetch, close } = openTransport()
  return { ask: observed(createAsk(server, fetch), watching), close }
}

function observed(ask: AskModel, watching: Watching): AskModel {
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

function createAsk({ apiKey, baseUrl, secondsPerCall }: Server, fetch: Fetch): AskModel {
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
    const cached = ways.get(call.model)
    const known = cached && cached.until > Date.now() ? cached : undefined
    // The SDK's own timeout ends with the headers. This one covers all attempts and the whole answer.
    return abortable({ milliseconds: timeout, signals: [call.signal] }, async (signal) => {
      for (let way = known?.way ?? STRICTEST; ; ) {
        const outcome = await send(client, call, way, signal).catch((error) => onFailure(error, call))
        if (!(outcome instanceof APIError)) {
          ways.set(call.model, { way, until: known?.way === way ? known.until : Date.now() + WAY_TTL_MS })
          return outcome
        }
        const next = isAboutThePrompt(outcome) ? undefined : nextWay(way, outcome, known !== undefined)
        if (!next) throw new PromptRefused(`The model answered ${outcome.status}.`)
        way = next
      }
    })
  }
}

async function send(client: OpenAI, call: ModelCall, way: Way, signal: AbortSignal): Promise<ModelAnswer> {
  const response = await client.chat.completions.create(requestBody(call, way), { signal }).asResponse()
  return readAnswer(response, call)
}

/** Returns a rejection of the request, which another request format may avoid; throws any other error. */
function onFailure(error: unknown, { signal }: ModelCall): APIError {
  signal.throwIfAborted()
  if (isRefusal(error)) return error
  throw error instanceof ModelUnavailable ? error : unavailable(error)
}
