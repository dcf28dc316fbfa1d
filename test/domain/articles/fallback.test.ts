import { afterAll, beforeEach, expect, test } from 'vitest'
import { findSpending, type SpendingGroup } from '../../../src/db/admin/spending.ts'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { type Behaviour, behaves, holding } from '../../support/fakeModel.ts'
import { paramsOf } from '../../support/pulls.ts'

const service = await startWritingService({ OPENAI_FALLBACK_MODEL: 'second-model', MODEL_SECONDS_PER_CALL: '1' })
afterAll(() => service.close())
const { model } = service
const { generate, generated, get } = articlesOf(service)
const token = await service.signedUp('reader')
beforeEach(async () => {
  model.always(undefined)
  await service.ctx.db.deleteFrom('breakers').execute()
})

/** Makes the first model behave as given, and the fallback model answer well. */
const first = (behaviour: Behaviour): Behaviour => {
  return (request, response, good) =>
    request.model === 'fake-model' ? behaviour(request, response, good) : answerWell(request, response, good)
}
const answerWell: Behaviour = behaves.changed((good) => good)

test.each([
  ['fails', behaves.status(500)],
  ['returns unusable output', behaves.says('no')],
])('uses the fallback model when the first model %s', async (_, behaviour) => {
  model.always(first(behaviour))
  const { contents } = await generated(aPull(service), token)
  expect(contents.ja.generator.model).toBe('second-model')
})

test('records what each model costs by its own price, which a later change of prices leaves as it is', async () => {
  const { db, config, now } = service.ctx
  const spending = (per: SpendingGroup, days = 1) => findSpending(db, { per, days }, now())
  const price = (input: number, output: number) => ({ input, output, cached: input, cacheWrite: input })
  const prices = { 'fake-model': price(2, 10), 'second-model': price(1, 4) }
  await db.deleteFrom('model_spending').execute()
  Object.assign(config.model ?? {}, { prices })
  model.always(first(behaves.says('no')))
  const place = aPull(service)
  await generated(place, token)
  const rows = await spending('model')
  expect(rows.map(({ group, requested }) => [group, requested])).toEqual([
    ['fake-model', 0],
    ['second-model', 1],
  ])
  for (const { group, input_tokens, output_tokens, cost, unpriced_tokens } of rows) {
    const { input, output } = prices[group as keyof typeof prices]
    expect(input_tokens).toBeGreaterThan(0)
    expect(cost).toBeCloseTo((input_tokens * input + output_tokens * output) / 1_000_000, 9)
    expect(unpriced_tokens).toBe(0)
  }
  const cost = rows.reduce((sum, row) => sum + row.cost, 0)

  Object.assign(config.model ?? {}, { prices: {} })
  const leaver = await service.signedUp('leaver')
  await generated(aPull(service), leaver)
  await service.call('deleteCurrentUser', { token: leaver })
  const month = now().toISOString().slice(0, 7)
  expect(await spending('month')).toMatchObject([{ group: month, requested: 2, automatic: 0 }])
  const users = await spending('user')
  expect(users.map(({ group }) => group)).toEqual(['reader', '(deleted)'])
  expect(users[0]?.cost).toBeCloseTo(cost, 9)
  expect(users[1]).toMatchObject({
    cost: 0,
    unpriced_tokens: (users[1]?.input_tokens ?? 0) + (users[1]?.output_tokens ?? 0),
  })
  expect((await spending('repository')).map(({ group }) => `${group}#1`)).toContain(place)
  service.advance(24 * 60 * 60_000)
  expect([await spending('day'), (await spending('day', 2)).length]).toEqual([[], 1])
})

test('the circuit breaker opens when no model answers and closes after one trial; reads work meanwhile', async () => {
  const written = aPull(service)
  await generated(written, token)
  model.always(behaves.status(500))
  for (let i = 0; i < 3; i++) expect((await generate(aPull(service), token)).body.error.code).toBe('MODEL_UNAVAILABLE')
  const logged = service.logged.length
  const modelRequests = await model.during(async () => {
    const { status, body, headers } = await generate(aPull(service), token)
    expect([status, body.error.code]).toEqual([502, 'MODEL_UNAVAILABLE'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
  expect(modelRequests).toEqual([])
  const refusal = service.logged.slice(logged).find((line) => line.includes('"code":"MODEL_UNAVAILABLE"'))
  expect(JSON.parse(refusal ?? '{}')).toMatchObject({ level: 40, msg: 'The model is not available.' })
  expect(refusal).not.toContain('"stack"')
  expect((await generate(written, token)).status).toBe(200)
  expect((await get(written)).status).toBe(200)

  service.advance(31_000)
  const { held, release } = holding()
  model.always(held)
  const before = model.requests.length
  const trial = generate(aPull(service), token)
  await expect.poll(() => model.requests.length).toBe(before + 1)
  const other = await generate(aPull(service), token)
  release()
  expect([(await trial).status, other.status]).toEqual([200, 502])
  expect(Number(other.headers.get('retry-after'))).toBeLessThanOrEqual(5)
  expect((await generate(aPull(service), token)).status).toBe(200)
})

async function openBreaker(): Promise<void> {
  model.always(behaves.status(500))
  for (let i = 0; i < 3; i++) await generate(aPull(service), token)
  service.advance(31_000)
}

test('the half-open circuit breaker lets only one request through', async () => {
  await openBreaker()
  const places = Array.from({ length: 12 }, () => aPull(service))
  for (const place of places) await service.call('ingestPullRequest', { token, params: paramsOf(place) })
  const { held, release } = holding()
  model.always(held)
  let refused = 0
  const modelRequests = await model.during(async () => {
    const answers = await Promise.all(
      places.map(async (place) => {
        const { status } = await generate(place, token)
        if (status === 502 && ++refused === 11) release()
        return status
      }),
    )
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
  })
  expect(modelRequests.length).toBe(1)
})

test('even an unusable response closes the half-open circuit breaker', async () => {
  await openBreaker()
  model.always(behaves.says('no'))
  expect((await generate(aPull(service), token)).body.error.code).toBe('GENERATION_FAILED')
  model.always(undefined)
  expect((await generate(aPull(service), token)).status).toBe(200)
})

test('queued jobs do not call a model that is down', async () => {
  model.always(behaves.hang)
  const modelRequests = await model.during(async () => {
    const places = Array.from({ length: 12 }, () => aPull(service))
    const answers = await Promise.all(places.map((place) => generate(place, token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]))
  })
  expect(modelRequests.length).toBeLessThan(20)
})

test('the fallback model continues from the notes of the first model', async () => {
  const withFallback = await startWritingService({ OPENAI_FALLBACK_MODEL: 'second-model' })
  const writer = await withFallback.signedUp('writer')
  const rows = Array.from(
    { length: 200 },
    (_, i) => `+const value${i} = compute(${i}, "some words to fill the line with")`,
  )
  const files = Array.from({ length: 20 }, (_, i) => ({
    ...{ filename: `src/f${i}.ts`, status: 'added', additions: 200, deletions: 0 },
    patch: `@@ -0,0 +1,200 @@\n${rows.join('\n')}`,
  }))
  withFallback.model.always((request, response, good) =>
    request.model === 'fake-model' && 'aiGeneratedTitle' in good
      ? behaves.says('no')(request, response, good)
      : answerWell(request, response, good),
  )
  const modelRequests = await withFallback.model.during(async () => {
    const { contents } = await articlesOf(withFallback).generated(aPull(withFallback, { files }), writer)
    expect(contents.ja.generator.model).toBe('second-model')
  })
  expect(modelRequests.filter((request) => request.model === 'second-model')).toHaveLength(1)
  await withFallback.close()
})
