import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clientOf } from '../support/askModel.ts'
import { answer, type Behaviour, behaves, startFakeModel } from '../support/fakeModel.ts'
import { DONE, piece, startStream } from '../support/fakeStream.ts'

const model = await startFakeModel()
const { ask, close } = clientOf(model, { secondsPerCall: 900 })
afterAll(async () => {
  await close()
  await model.close()
})
// All deadlines, undici’s included, are timers of this process; the sockets are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Holds the next request: the model does nothing until the returned `act` is called. */
function holdRequest() {
  const { promise, resolve } = Promise.withResolvers<(act: Behaviour) => void>()
  model.next((...args) => resolve((act) => act(...args)))
  return promise
}

test('waits longer than 300 seconds for headers', async () => {
  const requested = holdRequest()
  const answered = ask()
  const act = await requested
  await vi.advanceTimersByTimeAsync(890_000)
  act((_, response) => answer(response, 'late'))
  expect(await answered).toMatchObject({ content: 'late' })
})

test('gives up after the configured seconds per call', async () => {
  const requested = holdRequest()
  const failed = expect(ask()).rejects.toMatchObject({
    message: 'The model did not answer.',
    passing: true,
    silent: true,
  })
  const act = await requested
  act(behaves.hangsMidway)
  await vi.advanceTimersByTimeAsync(901_000)
  await failed
})

test('applies the deadline to all attempts of one call together', async () => {
  const first = holdRequest()
  const failed = expect(ask()).rejects.toMatchObject({ message: 'The model did not answer.' })
  const refuse = await first
  await vi.advanceTimersByTimeAsync(500_000)
  const second = holdRequest()
  refuse(behaves.status(400))
  await second
  await vi.advanceTimersByTimeAsync(401_000)
  await failed
})

/** Resolves once the client has read a chunk of a response. */
async function chunkRead(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  subscribe('undici:request:bodyChunkReceived', resolve)
  await promise
  unsubscribe('undici:request:bodyChunkReceived', resolve)
  await nextTurn()
}

test('gives up 60 seconds after the last chunk of a started response', async () => {
  const requested = holdRequest()
  const failed = expect(ask()).rejects.toMatchObject({
    message: "The model's answer was incomplete.",
    passing: true,
    silent: true,
  })
  const act = await requested
  act(async (_, response) => void startStream(response).write(piece({ content: 'Hello' })))
  await chunkRead()
  await vi.advanceTimersByTimeAsync(59_000)
  act((_, response) => void response.write(': keep-alive\n\n'))
  await chunkRead()
  await vi.advanceTimersByTimeAsync(59_000)
  act((_, response) => void response.write(piece({ content: 'Hello' })))
  await chunkRead()
  await vi.advanceTimersByTimeAsync(61_000)
  await failed
})

test('waits longer than 60 seconds for the first word of a started response', async () => {
  const requested = holdRequest()
  const answered = ask()
  const act = await requested
  act((_, response) => void startStream(response).write(piece({ role: 'assistant', content: '' })))
  await chunkRead()
  await vi.advanceTimersByTimeAsync(600_000)
  act((_, response) => response.end(piece({ content: 'Hello' }) + DONE))
  expect(await answered).toMatchObject({ content: 'Hello' })
})

test('does not wait for a connection that stays open after the response', async () => {
  const requested = holdRequest()
  const answered = ask()
  const act = await requested
  act((_, response) => void startStream(response).write(piece({ content: 'Hello' }) + DONE))
  await chunkRead()
  await vi.advanceTimersByTimeAsync(3000)
  expect(await answered).toMatchObject({ content: 'Hello' })
})
