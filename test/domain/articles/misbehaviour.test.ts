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
  },
)

test.each([
  [ghost, expect.stringContaining('`src/ghost.ts` is not a changed file')],
  [behaves.status(401), undefined],
])(
  'a failed article leads from the response to its job, the cause, and all log lines, and back',
  async (behaviour, cause) => {
    const place = aPull(service)
    const repository = place.replace('#1', '')
    model.always(behaviour)
    const { body } = await generate(place, token)
    const { requestId: reqId, details } = body.error
    const { data: job } = (await service.call('getArticleJob', { token, params: { jobId: details.jobId } })).body
    expect(job).toMatchObject({ status: 'failed', repositoryFullName: repository, prNumber: 1 })
    expect(job.error.cause).toEqual(cause)
    const row = await service.ctx.db
      .selectFrom('article_jobs')
      .where('id', '=', job.id)
      .select(['request_id', 'error_cause'])
      .executeTakeFirst()
    expect(row).toEqual({ request_id: reqId, error_cause: cause ?? expect.stringContaining('The model answered 401.') })
    const lines = () => service.logged.map((line) => JSON.parse(line)).filter((line) => line.reqId === reqId)
    await expect.poll(() => lines().map(({ msg }) => msg)).toContain('request')
    expect(lines().map(({ msg }) => msg)).toContain('Article generation failed.')
    const { id: userId } = (await service.call('getCurrentUser', { token })).body.data
    for (const line of lines()) expect(line).toMatchObject({ reqId, jobId: job.id, repository, userId })
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
