import { afterAll, expect, test } from 'vitest'
import type { ModelAnswer } from '../../src/model/call.ts'
import { clientOf } from '../support/askModel.ts'
import { answer, answerPlainly, type Behaviour, startFakeModel } from '../support/fakeModel.ts'
import { DONE, piece, sse, startStream, usageEvent } from '../support/fakeStream.ts'

const model = await startFakeModel()
const { ask, close } = clientOf(model)
afterAll(async () => {
  await close()
  await model.close()
})

const streams =
  (...events: string[]): Behaviour =>
  (_, response) =>
    startStream(response).end(events.join(''))
const [one, two, stop] = [piece({ content: 'Hello ' }), piece({ content: 'world' }), piece({}, 'stop')]
const hello = { content: 'Hello world', refusal: null, cutOff: false }

const answers: Record<string, [Behaviour, Partial<ModelAnswer>]> = {
  'streams with token counts': [streams(one, two, stop, usageEvent(), DONE), { ...hello, outputTokens: 200 }],
  'streams without token counts': [streams(one, two, stop, DONE), { ...hello, inputTokens: 0, outputTokens: 0 }],
  'ends lines with CRLF': [streams(...[one, two, stop, DONE].map((text) => text.replaceAll('\n', '\r\n'))), hello],
  'sends keep-alive comments and event names': [
    streams(': processing\n\n', 'event: chunk\nid: 1\n', one, ':\n\n:\n\n', two, stop, DONE),
    hello,
  ],
  'puts an event on several lines': [
    streams('data: {"choices":\ndata: [{"delta":{"content":"Hi"}}]}\n\n', DONE),
    { content: 'Hi' },
  ],
  'omits the space after the colon': [streams(...[one, two, DONE].map((text) => text.replace(': ', ':'))), hello],
  'omits [DONE]': [streams(one, two, stop), hello],
  'omits the finish reason': [streams(one, two, DONE), hello],
  'omits the last blank line': [streams(one, two, stop.trimEnd()), hello],
  'sends content in parts': [streams(piece({ content: [{ type: 'text', text: 'Hello world' }] }), stop, DONE), hello],
  'refuses in pieces': [
    streams(piece({ refusal: 'I ' }), piece({ refusal: 'cannot.' }), stop, DONE),
    { content: '', refusal: 'I cannot.' },
  ],
  'reaches the token limit': [streams(one, piece({}, 'length'), DONE), { content: 'Hello ', cutOff: true }],
  'filters its response': [streams(one, piece({}, 'content_filter'), DONE), { refusal: 'The answer was filtered.' }],
  'returns plain JSON': [(_, response) => answerPlainly(response, { content: 'Hello world' }), hello],
  'labels its stream as plain text': [
    (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(one + two + stop + DONE),
    hello,
  ],
  'breaks the connection after the end': [
    (_, response) => startStream(response).write(one + two + stop, () => response.destroy()),
    hello,
  ],
}

test.each(Object.entries(answers))('accepts a server that %s', async (_, [behaviour, expected]) => {
  model.next(behaviour)
  expect(await ask()).toMatchObject(expected)
})

const failures: Record<string, [Behaviour, object]> = {
  'ends the stream too early': [streams(one, two), { passing: true, silent: true }],
  'breaks the connection in the middle': [
    (_, response) => startStream(response).write(one, () => response.destroy()),
    { passing: true, silent: true },
  ],
  'sends an event that is not JSON': [streams(one, 'data: {"choices\n\n', stop, DONE), { passing: true }],
  'returns an HTML page': [
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
    { passing: true },
  ],
  'returns truncated JSON': [(_, response) => response.writeHead(200).end('{"choices": ['), { passing: true }],
  'returns an empty body': [(_, response) => response.writeHead(200).end(), { passing: true }],
  'sends an error without a status': [streams(one, sse({ error: { message: 'CUDA error' } })), { passing: true }],
  'sends an error as text': [streams(sse({ error: 'out of memory' })), { passing: true }],
  'sends an error with a status': [
    streams(sse({ error: { code: 429 } })),
    { passing: true, message: 'The model answered 429.' },
  ],
  'sends an error about the key': [streams(sse({ error: { code: 401 } })), { passing: false }],
}

test.each(Object.entries(failures))('fails if a server %s', async (_, [behaviour, expected]) => {
  model.next(behaviour)
  await expect(ask()).rejects.toMatchObject({ name: 'Error', retryAfter: undefined, ...expected })
})

test('joins a character whose bytes arrive in separate chunks', async () => {
  const bytes = Buffer.from(one + piece({ content: '世界' }) + stop + DONE)
  const middle = bytes.indexOf('世') + 1
  const first = Promise.withResolvers<void>()
  model.next(async (_, response) => {
    startStream(response).write(bytes.subarray(0, middle))
    await first.promise
    response.end(bytes.subarray(middle))
  })
  const progress: number[] = []
  const onProgress = (characters: number) => {
    progress.push(characters)
    first.resolve()
  }
  expect(await ask({ onProgress })).toMatchObject({ content: 'Hello 世界' })
  expect(progress).toEqual([6, 8])
})

test('requests a stream with token counts', async () => {
  model.next((_, response) => answer(response, 'Hello world'))
  const [modelRequest] = await model.during(() => ask())
  expect(modelRequest).toMatchObject({ stream: true, stream_options: { include_usage: true } })
})
