import { afterAll, afterEach, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { answer, type Behaviour, behaves, type ModelRequest, promptOf, startFakeModel } from '../support/fakeModel.ts'
import { sse, startStream } from '../support/fakeStream.ts'
import { dump, expectNoSecrets, startService } from '../support/service.ts'

const service = await startWritingService()
const otherModel = await startFakeModel()
afterAll(async () => {
  await service.close()
  await otherModel.close()
})
const { model } = service
const { generate, generated } = articlesOf(service)
const token = await service.signedUp('reader')
afterEach(async () => {
  model.always(undefined)
  await service.ctx.db.deleteFrom('breakers').execute()
})

test.each([301, 302, 307, 308])('does not follow or retry a %i redirect', async (status) => {
  const redirects: Behaviour = (_, response) =>
    response.writeHead(status, { location: `${otherModel.url}/chat/completions` }).end()
  model.always(redirects)
  const modelRequests = await model.during(async () => {
    const { body } = await generate(aPull(service), token)
    expect(body.error.code).toBe('MODEL_UNAVAILABLE')
  })
  expect([modelRequests.length, otherModel.requests.length]).toEqual([1, 0])
})

test('closing the service closes the connections to the model', async () => {
  const writing = await startService({ env: otherModel.env })
  await articlesOf(writing).generated(aPull(writing), await writing.signedUp('writer'))
  expect(await otherModel.connections()).toBe(1)
  await writing.close()
  await expect.poll(() => otherModel.connections(), { timeout: 3000 }).toBe(0)
})

test('works with a server that cannot stream', async () => {
  model.always((request, response, good) =>
    request.stream ? behaves.status(422)(request, response, good) : answer(response, good),
  )
  const modelRequests = await model.during(() => generated(aPull(service), token))
  expect(modelRequests.map(({ stream }) => stream)).toEqual([true, true, undefined])
})

const ECHO = 'and-so-said-the-server'
const echoOf = (request: ModelRequest) => `${model.env.OPENAI_API_KEY} ${ECHO} ${promptOf(request)}`
const echoes: Record<string, Behaviour> = {
  'an error status': (request, response) =>
    response.writeHead(500).end(JSON.stringify({ error: { message: echoOf(request), code: ECHO } })),
  'a refusal': (request, response) => response.writeHead(400).end(JSON.stringify({ error: echoOf(request) })),
  'an error inside a stream': (request, response) =>
    startStream(response).end(sse({ error: { message: echoOf(request), code: ECHO, type: ECHO } })),
  'an event that is not JSON': (request, response) => startStream(response).end(`data: ${echoOf(request)}\n\n`),
  'a refusal as text': (request, response) => answer(response, { refusal: echoOf(request) }),
  'a response that is not JSON': (request, response) => answer(response, echoOf(request)),
}

test.each(Object.entries(echoes))('does not pass on %s that quotes the key and the prompt', async (_, behaviour) => {
  model.always(behaviour)
  const { status, body } = await generate(aPull(service), token)
  expect(status).toBe(502)
  await expectNoSecrets(
    [ECHO, model.env.OPENAI_API_KEY],
    JSON.stringify(body),
    service.logged.join(''),
    await dump(service.ctx),
  )
})
