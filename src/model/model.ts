import OpenAI, { type APIError } from 'openai'
import { abortable } from '../lib/abortable.ts'
import type { Secret } from '../lib/secret.ts'
import { isRefusal, unavailable } from './apiErrors.ts'
import type { AskModel, ModelAnswer, ModelCall } from './call.ts'
import { checkWindow } from './checkWindow.ts'
import { ModelUnavailable } from './errors.ts'
import { createLearning } from './learned.ts'
import { negotiate } from './negotiate.ts'
import { readAnswer } from './readAnswer.ts'
import { type RequestShape, requestBody } from './requestBody.ts'
import { type Fetch, openTransport } from './transport.ts'

/** The highest value that MODEL_SECONDS_PER_CALL may have. */
const MAX_SECONDS = 3600

export interface Server {
  apiKey: Secret
  baseUrl: URL | undefined
  secondsPerCall: number
  reasoningEffort: string | undefined
  /** Aborts an answer that is larger than this. Default: `MAX_ANSWER_BYTES`. */
  maxAnswerBytes?: number
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

export function createModel(server: Server, watching: Watching, now = () => new Date()): Model {
  const { fetch, close } = openTransport()
  return { ask: checkWindow(observed(createAsk(server, fetch, now), watching), now), close }
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

function createAsk(
  { apiKey, baseUrl, secondsPerCall, reasoningEffort, maxAnswerBytes: maxBytes }: Server,
  fetch: Fetch,
  now: () => Date,
): AskModel {
  const client = new OpenAI({
    apiKey: apiKey.reveal(),
    ...(baseUrl && { baseURL: baseUrl.href }),
    maxRetries: 0,
    timeout: MAX_SECONDS * 1000,
    logLevel: 'off',
    fetch,
  })
  const learning = createLearning(reasoningEffort, now)
  return async (call) => {
    const milliseconds = (call.seconds ?? secondsPerCall) * 1000
    // The SDK's own timeout no longer applies once the headers have arrived. This one covers all attempts and the whole
    // answer.
    return abortable({ milliseconds, signals: [call.signal] }, (signal) =>
      negotiate(call, learning, (shape) =>
        send(client, call, shape, { signal, maxBytes }).catch((error) => onFailure(error, call)),
      ),
    )
  }
}

async function send(
  client: OpenAI,
  call: ModelCall,
  shape: RequestShape,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number | undefined },
): Promise<ModelAnswer> {
  const body = requestBody(call, shape) as OpenAI.ChatCompletionCreateParams
  const response = await client.chat.completions.create(body, { signal }).asResponse()
  const answer = await readAnswer(response, {
    maxOutputTokens: shape.maxOutputTokens,
    maxBytes,
    onProgress: call.onProgress,
  })
  return { ...answer, shape }
}

/**
 * Returns the error if the server rejected the request, because it may accept a different one; throws any other error.
 */
function onFailure(error: unknown, { signal }: ModelCall): APIError {
  signal.throwIfAborted()
  if (isRefusal(error)) return error
  throw error instanceof ModelUnavailable ? error : unavailable(error)
}
