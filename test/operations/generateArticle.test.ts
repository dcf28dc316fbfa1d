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

test('fetches the pull request, has the model write, and ties every claim to lines of the diff', async () => {
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
    ...{ inputTokens: 1000, outputTokens: 200, calls: 1 },
  })
  expect((await get(place)).body.data).toEqual(article)
})

test('costs nothing when the text is there', async () => {
  const place = aPull(service)
  const first = await generated(place, token)
  const asked = await model.during(async () => expect(await generated(place, token)).toEqual(first))
  expect(asked).toEqual([])
})

test('writes in the language of the user unless told otherwise, and refuses a language nobody speaks', async () => {
  const place = aPull(service)
  const english = await service.signedUp('english')
  await service.call('updateCurrentUser', { token: english, body: { language: 'en' } })
  expect(Object.keys((await generated(place, english)).contents)).toEqual(['en'])
  expect(Object.keys((await generated(place, english, { language: 'fr' })).contents)).toEqual(['en', 'fr'])
  const { status, body } = await generate(place, english, { language: 'zz' })
  expect([status, body.error.code, body.message]).toEqual([400, 'VALIDATION_ERROR', 'Unknown language code: zz.'])
})

test('writes anew by force, once an hour, under the same id', async () => {
  const place = aPull(service)
  const first = await generated(place, token)
  const anew = await generated(place, token, { force: true })
  expect(anew.id).toBe(first.id)
  expect(anew.contents.ja.summaryGeneratedAt > first.contents.ja.summaryGeneratedAt).toBe(true)
  const { status, body, headers } = await generate(place, token, { force: true })
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500)
  expect((await generate(place, token)).status).toBe(200)
})

test('answers 202 with the job where it takes longer than is waited for, and shares the job', async () => {
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

test('is not found for a pull request that is not there', async () => {
  const { status, body } = await generate(aPull(service).replace('#1', '#2'), token)
  expect([status, body.error.code]).toEqual([404, 'PULL_REQUEST_NOT_FOUND'])
})
