import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import type { ModelAnswer } from '../../src/model/call.ts'
import { clientAt } from '../support/askModel.ts'
import { endlessBodies, largeEvents } from '../support/hostileServer.ts'
import { longestTurnMs } from '../support/longestTurn.ts'

const MAX_TURN_MS = 100
const server = new Worker(new URL('../support/hostileServer.ts', import.meta.url))
const [port] = await once(server, 'message')
afterAll(() => server.terminate())

/** Calls a server that sends the body, and measures the longest turn of the event loop in CPU time. */
async function ask(body: string, status = 200) {
  const client = clientAt(new URL(`http://127.0.0.1:${port}/${status}/${body}/v1`))
  let outcome: unknown
  const turnMs = await longestTurnMs(async () => {
    outcome = await client.ask().catch((error: unknown) => error)
  })
  await client.close()
  return { outcome, turnMs }
}

// Loads and compiles shared code before the first measurement.
await ask('compressed')

const TOO_LARGE = { message: "The model's answer is too large.", passing: false }
const outcomes = {
  ...Object.fromEntries(Object.keys(endlessBodies).map((name) => [name, TOO_LARGE])),
  text: { cutOff: true },
}

test.each(Object.entries(outcomes))('cuts endless %s without long turns', async (body, expected) => {
  const { outcome, turnMs } = await ask(body)
  expect(outcome).toMatchObject(expected)
  expect(turnMs).toBeLessThan(MAX_TURN_MS)
})

test('cuts text at eight characters per token', async () => {
  const { outcome } = await ask('text')
  expect((outcome as ModelAnswer).content.length).toBe(16_000 * 8)
})

test.each(Object.keys(largeEvents))('reads a large event of %s without long turns', async (body) => {
  const { outcome, turnMs } = await ask(body)
  expect(outcome).not.toMatchObject(TOO_LARGE)
  expect(turnMs).toBeLessThan(MAX_TURN_MS)
})

test('reads a stream in chunks of one byte without long turns', async () => {
  const { outcome, turnMs } = await ask('tiny chunks')
  expect(outcome).toMatchObject({ message: "The model's answer was incomplete." })
  expect(turnMs).toBeLessThan(MAX_TURN_MS)
})

test('cuts a small body that decompresses to a large one', async () => {
  const { outcome, turnMs } = await ask('compressed')
  expect(outcome).toMatchObject(TOO_LARGE)
  expect(turnMs).toBeLessThan(MAX_TURN_MS)
})

test.each(['text', 'a line', 'plain JSON'])('cuts an endless error body of %s', async (body) => {
  const { outcome, turnMs } = await ask(body, 500)
  expect(outcome).toMatchObject({ message: 'The model answered 500.' })
  expect(turnMs).toBeLessThan(MAX_TURN_MS)
})
