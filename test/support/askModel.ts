import { Secret } from '../../src/lib/secret.ts'
import type { ModelCall } from '../../src/model/call.ts'
import { createModel } from '../../src/model/model.ts'
import type { FakeModel } from './fakeModel.ts'

interface Options {
  secondsPerCall?: number
  key?: string
  reasoningEffort?: string
  maxAnswerBytes?: number
  now?: () => Date
}

/** A model client without the rest of the service. */
export function clientAt(
  baseUrl: URL,
  { secondsPerCall = 30, key = 'sk-fake-0123456789', reasoningEffort, maxAnswerBytes, now }: Options = {},
) {
  const { ask, close } = createModel(
    { apiKey: new Secret(key), baseUrl, secondsPerCall, reasoningEffort, ...(maxAnswerBytes && { maxAnswerBytes }) },
    { answered() {}, failed() {} },
    now,
  )
  const call = {
    model: 'fake-model',
    messages: [{ role: 'user' as const, content: 'A private prompt.' }],
    schema: { type: 'object', properties: {} },
    promptTokens: 10,
    maxOutputTokens: 16_000,
    signal: new AbortController().signal,
  }
  return { ask: (more: Partial<ModelCall> = {}) => ask({ ...call, ...more } as ModelCall), close }
}

export function clientOf({ url }: FakeModel, options?: Options) {
  return clientAt(new URL(url), options)
}
