import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { holding } from '../support/fakeModel.ts'
import { changed } from '../support/pulls.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { model } = service
const { generate, generated, get } = articlesOf(service)
const token = await service.signedUp('reader')

test('fetches the pull request, lets the model write the article, and cites diff lines for every claim', async () => {
  const place = aPull(service, { title: 'fix: count twice', files: [changed('src/app.ts'), changed('src/b.ts')] })
  const article = await generated(place, token)
  expect(article).toMatchObject({ prNumber: 1, title: 'fix: count twice', totalLikeCount: 0 })
  const { ja } = article.contents
  expect(ja.mainChanges[0]).toMatchObject({
    fileName: 'src/app.ts',
    evidence: [{ path: 'src/app.ts', side: 'new', startLine: 1, endLine: 1 }],
  })
  const anchor = createHash('sha256').update('src/app.ts').digest('hex')
  expect(ja.mainChanges[0].evidence[0].url).toBe(`${article.hostPrUrl}/files/${ja.headSha}#diff-${anchor}R1`)
  expect(ja.coverage).toMatchObject({ changedFiles: 2, read: 2, partlyRead: 0, skipped: 0, notListed: 0 })
  expect(ja.generator).toMatchObject({
    ...{ kind: 'model', model: 'fake-model', translatedFrom: null },
    ...{ inputTokens: expect.any(Number), outputTokens: 200, calls: 1 },
  })
  expect((await get(place, token)).body.data).toEqual(article)
})

test('returns a stored text without calling the model', async () => {
  const place = aPull(service)
  const first = await generated(place, token)
  const modelRequests = await model.during(async () => expect(await generated(place, token)).toEqual(first))
  expect(modelRequests).toEqual([])
})

test('defaults to the language of the user and rejects an unknown language code', async () => {
  const place = aPull(service)
  const english = await service.signedUp('english')
  await service.call('updateCurrentUser', { token: english, body: { language: 'en' } })
  expect(Object.keys((await generated(place, english)).contents)).toEqual(['en'])
  expect(Object.keys((await generated(place, english, { language: 'fr' })).contents)).toEqual(['en', 'fr'])
  const { status, body } = await generate(place, english, { language: 'zz' })
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
})

test('force regenerates an article under the same id, at most once an hour', async () => {
  const place = aPull(service)
  const first = await generated(place, token)
  const regenerated = await generated(place, token, { force: true })
  expect(regenerated.id).toBe(first.id)
  expect(regenerated.contents.ja.summaryGeneratedAt > first.contents.ja.summaryGeneratedAt).toBe(true)
  const { status, body, headers } = await generate(place, token, { force: true })
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500)
  expect((await generate(place, token)).status).toBe(200)
})

test('returns 202 with the job if the wait expires, and returns the same job to later requests', async () => {
  const place = aPull(service)
  const { held, release } = holding()
  model.next(held)
  const before = model.requests.length
  const { status, headers, body } = await generate(place, token, undefined, { prefer: 'respond-async' })
  expect(status).toBe(202)
  expect(headers.get('location')).toBe(`/article-jobs/${body.data.id}`)
  const again = await generate(place, token, { force: true }, { prefer: 'wait=0' })
  expect([again.status, again.body.data.id]).toEqual([202, body.data.id])
  release()
  await generated(place, token)
  expect(model.requests.length - before).toBe(1)
})

test('returns 404 for a pull request that does not exist', async () => {
  const { status, body } = await generate(aPull(service).replace('#1', '#2'), token)
  expect([status, body.error.code]).toEqual([404, 'PULL_REQUEST_NOT_FOUND'])
})
