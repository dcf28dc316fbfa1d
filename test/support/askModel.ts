import { Secret } from '../../src/lib/secret.ts'
import type { ModelCall } from '../../src/model/call.ts'
import { createModel } from '../../src/model/model.ts'
import type { FakeModel } from './fakeModel.ts'

/** A model client without the rest of the service. */
export function clientAt(baseUrl: URL, { secondsPerCall = 30, key = 'sk-fake-0123456789' } = {}) {
  const { ask, close } = createModel(
    { apiKey: new Secret(key), baseUrl, secondsPerCall },
    { answered() {}, failed() {} },
  )
  const call = {
    model: 'fake-model',
    messages: [{ role: 'user' as const, content: 'A private prompt.' }],
    schema: { type: 'object', properties: {} },
    maxOutputTokens: 16_000,
    signal: new AbortController().signal,
  }
  return { ask: (more: Partial<ModelCall> = {}) => ask({ ...call, ...more }), close }
}

export function clientOf({ url }: FakeModel, secondsPerCall?: number) {
  return clientAt(new URL(url), { ...(secondsPerCall && { secondsPerCall }) })
}
