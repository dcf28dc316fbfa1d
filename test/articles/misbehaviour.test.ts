import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { answer, type Behaviour, behaves, promptOf } from '../support/fakeModel.ts'
import { expectShortTurns } from '../support/longestTurn.ts'

const service = await startWritingService({ MODEL_SECONDS_PER_CALL: '1' })
afterAll(() => service.close())
const { model } = service
const { generate, generated, get } = articlesOf(service)
const token = await service.signedUp('reader')
afterEach(async () => {
  model.always(undefined)
  await service.ctx.db.deleteFrom('breakers').execute()
  // What was learnt about the server is forgotten.
  service.advance(61 * 60_000)
})

const withTitle = (title: string) => behaves.changed((good) => ({ ...good, aiGeneratedTitle: title }))
const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script> [click](javascript:alert(3))'
const ghost = behaves.changed((good) => ({
  ...good,
  mainChanges: good.mainChanges.map((change) => ({ ...change, fileName: 'src/ghost.ts' })),
}))
const hostile: Behaviour = behaves.changed((good) => ({
  ...good,
  ...(good.aiGeneratedTitle && { aiGeneratedTitle: HOSTILE.slice(0, 60) }),
  ...(good.lead && { lead: { ...good.lead, text: HOSTILE } }),
  mainChanges: good.mainChanges.map((change) => ({ ...change, description: HOSTILE })),
  notablePoints: good.notablePoints.map((point) => ({ ...point, point: HOSTILE })),
}))
const ENGLISH = 'This change reworks how the request is handled so that nobody is surprised by it any more.'
const inEnglish = behaves.changed((good) => ({
  ...good,
  ...(good.lead && { lead: { ...good.lead, text: ENGLISH } }),
  mainChanges: good.mainChanges.map((change) => ({ ...change, description: ENGLISH })),
}))

/** What the model does each time, the resulting error code, and the number of calls. */
const persistentFaults: Record<string, [Behaviour, string, calls: number]> = {
  'returns other JSON': [behaves.says('{"aiGeneratedTitle": 12, "mainChanges": "nope"}'), 'GENERATION_FAILED', 3],
  'returns no JSON': [behaves.says('Here is your article!'), 'GENERATION_FAILED', 3],
  'is cut off': [behaves.isCutOff, 'GENERATION_FAILED', 2],
  refuses: [behaves.refuses, 'GENERATION_FAILED', 2],
  'returns nothing': [behaves.says(''), 'GENERATION_FAILED', 2],
  'names unknown files': [ghost, 'GENERATION_FAILED', 2],
  'writes HTML': [hostile, 'GENERATION_FAILED', 2],
  'writes in another language': [inEnglish, 'GENERATION_FAILED', 2],
  'rejects the prompt': [behaves.status(400), 'GENERATION_FAILED', 4],
  hangs: [behaves.hang, 'MODEL_UNAVAILABLE', 2],
  'hangs in the middle of its response': [behaves.hangsMidway, 'MODEL_UNAVAILABLE', 2],
  'ends its stream too early': [behaves.breaksOff, 'MODEL_UNAVAILABLE', 2],
  'breaks the connection': [behaves.reset, 'MODEL_UNAVAILABLE', 2],
  'returns 500': [behaves.status(500), 'MODEL_UNAVAILABLE', 3],
  'returns 429': [behaves.status(429, { 'retry-after': '1' }), 'MODEL_UNAVAILABLE', 3],
  'returns 429 with a long Retry-After': [behaves.status(429, { 'retry-after': '600' }), 'MODEL_UNAVAILABLE', 1],
  'rejects the key': [behaves.status(401), 'MODEL_UNAVAILABLE', 1],
}

describe.each(Object.entries(persistentFaults))('a model that %s', (_, [behaviour, code, calls]) => {
  test('yields no article, stores nothing, and the next attempt works', async () => {
    const place = aPull(service)
    model.always(behaviour)
    const modelRequests = await model.during(async () => {
      const { status, body, headers } = await generate(place, token)
      expect([status, body.error.code]).toEqual([502, code])
      expect(JSON.stringify(body)).not.toContain('sk-fake')
      if (code === 'MODEL_UNAVAILABLE') expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    })
    expect(modelRequests.length).toBe(calls)
    expect((await get(place)).body.error.code).toBe('ARTICLE_NOT_FOUND')
    model.always(undefined)
    await service.ctx.db.deleteFrom('breakers').execute()
    expect((await generated(place, token)).contents.ja.generator.calls).toBe(1)
  })
})

test('the log says what is wrong with an answer', async () => {
  model.always(ghost)
  await generate(aPull(service), token)
  model.always(undefined)
  const failure = service.logged.map((line) => JSON.parse(line)).findLast(({ faults }) => faults)
  expect(failure.faults.join()).toContain('`src/ghost.ts` is not a changed file')
})

/** Errors that the model corrects once the repair request names them. */
const transientFaults: Record<string, [Behaviour, correction: RegExp]> = {
  'was cut off': [behaves.isCutOff, /cut off for its length/],
  refused: [behaves.refuses, /refusal/],
  'named an unknown file': [ghost, /`src\/ghost\.ts` is not a changed file/],
  'wrote HTML': [hostile, /aiGeneratedTitle: it holds HTML/],
  'wrote another language': [inEnglish, /not in Japanese \(日本語\)/],
  'wrote a title that is too long': [
    withTitle('長'.repeat(61)),
    /aiGeneratedTitle: it has 61 characters; write at most 60/,
  ],
}

test.each(Object.entries(transientFaults))(
  'a model that %s gets a repair request and corrects its answer',
  async (_, [behaviour, correction]) => {
    const place = aPull(service)
    model.next(behaviour)
    const modelRequests = await model.during(() => generated(place, token))
    expect(modelRequests.length).toBe(2)
    expect(modelRequests[1]?.messages.at(-1)?.content).toMatch(correction)
    expect(modelRequests[1]?.messages.at(-2)?.role).toBe('assistant')
  },
)

test('a model that answers without the schema is asked again with the schema in the prompt, for an hour', async () => {
  model.next(behaves.says('Here it is'))
  const modelRequests = await model.during(() => generated(aPull(service), token))
  expect(modelRequests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ['system', 'user'],
    ['system', 'user'],
  ])
  const [withFormat, withSchema] = modelRequests.map((request) => [
    request.response_format?.type,
    /JSON schema/.test(promptOf(request)),
  ])
  expect([withFormat, withSchema]).toEqual([
    ['json_schema', false],
    ['json_object', true],
  ])
  const formats = async () =>
    (await model.during(() => generated(aPull(service), token))).map(({ response_format: format }) => format?.type)
  expect(await formats()).toEqual(['json_object'])
  service.advance(61 * 60_000)
  expect(await formats()).toEqual(['json_schema'])
})

test('a basis outside the contract goes to the repair turn', async () => {
  model.next(behaves.changed((good) => ({ ...good, lead: { ...good.lead, basis: 'guess' } })))
  const modelRequests = await model.during(async () => {
    expect((await generated(aPull(service), token)).contents.ja.lead.basis).toBe('diff')
  })
  expect(modelRequests.length).toBe(2)
  expect(modelRequests[1]?.messages.at(-1)?.content).toContain('/lead/basis must be equal to one of the allowed values')
})

test('a rejected prompt does not open the circuit breaker', async () => {
  model.always(behaves.status(400))
  for (let i = 0; i < 3; i++) expect((await generate(aPull(service), token)).body.error.code).toBe('GENERATION_FAILED')
  model.always(undefined)
  expect((await generate(aPull(service), token)).status).toBe(200)
})

test('returns a readable reason to the client', async () => {
  const messageFor = async (behaviour: Behaviour) => {
    model.next(behaviour, behaviour)
    return (await generate(aPull(service), token)).body.message
  }
  expect(await messageFor(behaves.refuses)).toBe('The model refused.')
  expect(await messageFor(inEnglish)).toBe('The model did not write in Japanese (日本語).')
  expect(await messageFor(ghost)).toBe('The generated article failed verification against the diff.')
})

const choice = (message: object) => ({ choices: [{ index: 0, finish_reason: 'stop', message }] })
const oddities: Record<string, (content: string) => object> = {
  'in parts': (content) => choice({ role: 'assistant', content: [{ type: 'text', text: content }] }),
  'without token counts': (content) => choice({ role: 'assistant', content }),
  'with invalid token counts': (content) => ({
    ...choice({ role: 'assistant', content }),
    usage: { prompt_tokens: '12', completion_tokens: 1.5 },
  }),
}

test.each(Object.entries(oddities))('accepts a response %s', async (_, oddity) => {
  model.next((_request, response, good) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(oddity(JSON.stringify(good)))),
  )
  const { contents } = await generated(aPull(service), token)
  expect(contents.ja.generator).toMatchObject({ calls: 1 })
  expect(contents.ja.generator.inputTokens).toBeGreaterThan(500)
})

test.each([{}, { choices: [] }, { choices: [{ message: null }] }])(
  'treats a response like %j as empty',
  async (body) => {
    const says: Behaviour = (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    model.next(says, says)
    expect((await generate(aPull(service), token)).body.message).toBe('The model answered nothing.')
  },
)

test('accepts JSON inside a code fence without a retry', async () => {
  model.next(behaves.fenced)
  const modelRequests = await model.during(() => generated(aPull(service), token))
  expect(modelRequests.length).toBe(1)
})

const heavy: Record<string, string> = {
  'starts like a code fence': `\`\`\`${'\n'.repeat(60_000)}x`,
  'has too many changes': `{"mainChanges":[${'1,'.repeat(60_000)}1]}`,
  'has too many keys': `{${Array.from({ length: 12_000 }, (_, i) => `"${i}":0`).join(',')}}`,
  'is deeply nested': '['.repeat(60_000) + ']'.repeat(60_000),
}

test.each(Object.entries(heavy))('a response that %s does not block the event loop', async (_, content) => {
  model.always(behaves.says(content))
  await generate(aPull(service), token)
  await expectShortTurns(100, () => generate(aPull(service), token))
})

test('falls back to simpler response formats that the server supports', async () => {
  const formats: string[] = []
  model.always((request, response, good) => {
    const format = request.response_format
    formats.push(String(format?.type))
    return format?.type === 'json_schema' ? behaves.status(400)(request, response, good) : answer(response, good)
  })
  const { contents } = await generated(aPull(service), token)
  expect(contents.ja.mainChanges.length).toBe(1)
  expect(formats).toEqual(['json_schema', 'undefined'])
})
