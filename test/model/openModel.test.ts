import { expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.ts'
import { openModel } from '../../src/model/openModel.ts'
import { behaves, startFakeModel } from '../support/fakeModel.ts'

test('a model client that is closed while it loads sends no request', async () => {
  const fake = await startFakeModel()
  fake.next(behaves.slow(5000))
  const server = {
    apiKey: new Secret('sk-fake-0123456789'),
    baseUrl: new URL(fake.url),
    secondsPerCall: 10,
    reasoningEffort: undefined,
  }
  const model = openModel(server, { answered() {}, failed() {} })
  const asking = model.ask({
    model: 'fake-model',
    messages: [{ role: 'user', content: 'A private prompt.' }],
    schema: { type: 'object', properties: {} },
    promptTokens: 10,
    maxOutputTokens: 100,
    signal: new AbortController().signal,
  })
  await model.close()
  await expect(asking).rejects.toThrow()
  expect(fake.requests).toEqual([])
  await fake.close()
})
