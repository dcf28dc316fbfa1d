import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import type { ModelAnswer } from '../../src/model/call.ts'
import { clientAt } from '../support/askModel.ts'
import { endlessBodies, largeEvents } from '../support/hostileServer.ts'
import { expectShortTurns } from '../support/longestTurn.ts'

const MAX_TURN_MS = 100
const server = new Worker(new URL('../support/hostileServer.ts', import.meta.url))
const [port] = await once(server, 'message')
afterAll(() => server.terminate())

/** Much less than the usual limit, but enough to take many turns of the event loop. */
const SMALL = { maxAnswerBytes: 12 * 1024 * 1024 }

/** Calls a server that sends this body, and expects only short turns of the event loop. */
async function ask(body: string, status = 200, limits: { maxAnswerBytes?: number } = SMALL): Promise<unknown> {
  const client = clientAt(new URL(`http://127.0.0.1:${port}/${status}/${body}/v1`), limits)
  let outcome: unknown
  await expectShortTurns(MAX_TURN_MS, async () => {
    outcome = await client.ask().catch((error: unknown) => error)
  })
  await client.close()
  return outcome
}

const TOO_LARGE = { message: "The model's answer is too large.", passing: false }
const outcomes = {
  ...Object.fromEntries(Object.keys(endlessBodies).map((name) => [name, TOO_LARGE])),
  text: { cutOff: true },
}

test.each(Object.entries(outcomes))(
  'stops reading endless %s without blocking the event loop',
  async (body, expected) => {
    expect(await ask(body)).toMatchObject(expected)
  },
)

test('cuts the text of an answer at eight characters per token', async () => {
  expect(((await ask('text')) as ModelAnswer).content.length).toBe(16_000 * 8)
})

test.each(Object.keys(largeEvents))('reads a large event of %s without long turns of the event loop', async (body) => {
  expect(await ask(body)).not.toMatchObject(TOO_LARGE)
})

test('reads a stream in chunks of one byte without long turns of the event loop', async () => {
  expect(await ask('tiny chunks')).toMatchObject({ message: "The model's answer was incomplete." })
})

test('refuses a small body that decompresses to a large one', async () => {
  expect(await ask('compressed', 200, {})).toMatchObject(TOO_LARGE)
})

test.each(['text', 'a line', 'plain JSON'])('stops reading an endless error body of %s', async (body) => {
  expect(await ask(body, 500)).toMatchObject({ message: 'The model answered 500.' })
})
