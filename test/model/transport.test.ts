import { afterAll, afterEach, expect, test } from 'vitest'
import { createLogger } from '../../src/logger.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { clientOf } from '../support/askModel.ts'
import { answer, type Behaviour, behaves, type ModelRequest, promptOf, startFakeModel } from '../support/fakeModel.ts'
import { sse, startStream } from '../support/fakeStream.ts'
import { startArticlesThrough } from '../support/modelServers/articlesThrough.ts'
import { dump, expectNoSecrets, startService } from '../support/service.ts'

const writer = await startArticlesThrough()
const model = writer.server
const otherModel = await startFakeModel()
const service = await startService({ env: otherModel.env })
const { generate, generated } = articlesOf(service)
const token = await service.signedUp('reader')
afterAll(async () => {
  await writer.close()
  await otherModel.close()
})
afterEach(async () => {
  model.always(undefined)
  otherModel.always(undefined)
})

test.each([301, 302, 307, 308])('does not follow or retry a %i redirect', async (status) => {
  const redirects: Behaviour = (_, response) =>
    response.writeHead(status, { location: `${otherModel.url}/chat/completions` }).end()
  model.always(redirects)
  const modelRequests = await model.during(async () => {
    const { failure } = await writer.ask()
    expect(failure?.code).toBe('MODEL_UNAVAILABLE')
  })
  expect([modelRequests.length, otherModel.requests.length]).toEqual([1, 0])
})

test('closing the client closes its connections', async () => {
  const { ask, close } = clientOf(otherModel)
  await ask()
  expect(await otherModel.connections()).toBe(1)
  await close()
  await expect.poll(() => otherModel.connections()).toBe(0)
})

test('works with a server that cannot stream', async () => {
  model.always((request, response, good) =>
    request.stream ? behaves.status(422)(request, response, good) : answer(response, good),
  )
  const modelRequests = await model.during(async () => {
    expect((await writer.ask()).failure).toBeUndefined()
  })
  expect(modelRequests.map(({ stream }) => stream)).toEqual([true, true, undefined])
})

const ECHO = 'and-so-said-the-server'
const echoOf = (request: ModelRequest) => `${model.env.OPENAI_API_KEY} ${ECHO} ${promptOf(request)}`
const echoes = {
  'an error status': (request, response) =>
    response.writeHead(500).end(JSON.stringify({ error: { message: echoOf(request), code: ECHO } })),
  'a refusal': (request, response) => response.writeHead(400).end(JSON.stringify({ error: echoOf(request) })),
  'an error inside a stream': (request, response) =>
    startStream(response).end(sse({ error: { message: echoOf(request), code: ECHO, type: ECHO } })),
  'an event that is not JSON': (request, response) => startStream(response).end(`data: ${echoOf(request)}\n\n`),
  'a refusal as text': (request, response) => answer(response, { refusal: echoOf(request) }),
  'a response that is not JSON': (request, response) => answer(response, echoOf(request)),
} satisfies Record<string, Behaviour>

/** The log line of an error, with all fields that the logger includes. */
function logLineOf(error: unknown): string {
  const lines: string[] = []
  createLogger('trace', { destination: { write: (line) => void lines.push(line) } }).warn(
    { ...Object(error), err: error },
    'Failed.',
  )
  return lines.join('')
}

test.each(Object.entries(echoes))('does not pass on %s that quotes the key and the prompt', async (_, behaviour) => {
  model.always(behaviour)
  const { failure } = await writer.ask()
  expect(failure).toBeDefined()
  const { error, ...told } = failure ?? {}
  expect(logLineOf(error)).toContain('"err":{')
  await expectNoSecrets([ECHO, model.env.OPENAI_API_KEY], JSON.stringify(told), logLineOf(error))
})

test.each(['a refusal', 'a response that is not JSON'] as const)(
  'the service returns, logs and stores nothing of %s that quotes the key and the prompt',
  async (name) => {
    otherModel.always(echoes[name])
    const { status, body } = await generate(aPull(service), token, {}, { prefer: 'wait=60' })
    expect(status).toBe(422)
    await expectNoSecrets(
      [ECHO, otherModel.env.OPENAI_API_KEY],
      JSON.stringify(body),
      service.logged.join(''),
      await dump(service.ctx),
    )
  },
)

test('closing the service closes the connections to the model', async () => {
  await generated(aPull(service), token)
  expect(await otherModel.connections()).toBeGreaterThan(0)
  await service.close()
  await expect.poll(() => otherModel.connections()).toBe(0)
})
