import { afterAll, afterEach, expect, test } from 'vitest'
import { type ErrorCode, statusOf } from '../../../src/errors.ts'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { type Behaviour, behaves } from '../../support/fakeModel.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { model } = service
const { generate, generated, get } = articlesOf(service)
const token = await service.signedUp('reader')
const resume = async () => {
  model.always(undefined)
  await service.ctx.db.deleteFrom('breakers').execute()
}
afterEach(async () => {
  await resume()
  // After an hour, the client has forgotten what it learned about the model server.
  service.advance(61 * 60_000)
})

const ghost = behaves.changed((good) => ({
  ...good,
  mainChanges: good.mainChanges.map((change) => ({ ...change, fileName: 'src/ghost.ts' })),
}))

/** By name: how the model behaves, the error code, its message, and the number of model calls. */
const faults: Record<string, [Behaviour, code: ErrorCode, message: string, calls: number]> = {
  'answers badly': [ghost, 'GENERATION_FAILED', 'The generated article failed verification against the diff.', 2],
  'is not available': [behaves.status(401), 'MODEL_UNAVAILABLE', 'The model is not available.', 1],
}

test.each(Object.entries(faults))(
  'returns an error and stores nothing if the model %s, and the next attempt succeeds',
  async (_, [behaviour, code, message, calls]) => {
    const place = aPull(service)
    model.always(behaviour)
    const modelRequests = await model.during(async () => {
      const { status, body, headers } = await generate(place, token)
      expect([status, body.error.code, body.message]).toEqual([statusOf[code], code, message])
      expect(JSON.stringify(body)).not.toContain('sk-fake')
      if (code === 'MODEL_UNAVAILABLE') expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    })
    expect(modelRequests.length).toBe(calls)
    expect((await get(place)).body.error.code).toBe('ARTICLE_NOT_FOUND')
    await resume()
    expect((await generated(place, token)).contents.ja.generator.calls).toBe(1)
    if (code === 'GENERATION_FAILED') {
      const logged = service.logged.map((line) => JSON.parse(line)).findLast(({ faults }) => faults)
      expect(logged.faults.join()).toContain('`src/ghost.ts` is not a changed file')
    }
  },
)

test('a rejected prompt does not open the circuit breaker', async () => {
  model.always(behaves.status(400))
  for (let i = 0; i < 3; i++) {
    const { body } = await generate(aPull(service), token)
    expect(body.error.code).toBe('GENERATION_FAILED')
    expect(JSON.stringify(body)).not.toContain('sk-fake')
  }
  model.always(undefined)
  expect((await generate(aPull(service), token)).status).toBe(200)
})
