import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { likesOf } from '../support/likes.ts'
import { paramsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated, get } = articlesOf(service)
const { liked } = likesOf(service)
const token = await service.signedUp('reader')

test('serves the article of a public repository to anyone, also while the code host is down', async () => {
  const place = aPull(service)
  const article = await generated(place, token)
  service.host.fail({ path: /./, times: 100, act: (_, response) => response.writeHead(500).end() })
  const { body } = await get(place)
  expect(body.data).toEqual({ ...article, contents: { ja: { ...article.contents.ja, liked: null } } })
  expect((await get(place.toUpperCase(), token)).body.data).toEqual(article)
  service.host.heal()
})

test('returns only the text in the requested language', async () => {
  const place = aPull(service)
  const { id } = await generated(place, token, { language: 'ja' })
  await generated(place, token, { language: 'en' })
  await liked(token, { articleId: id, langCode: 'en' })
  for (const caller of [undefined, token]) {
    const { contents, ...article } = (await get(place, caller)).body.data
    expect(Object.keys(contents)).toEqual(['en', 'ja'])
    expect([contents.en.liked, contents.ja.liked]).toEqual(caller ? [true, false] : [null, null])
    expect(article.totalLikeCount).toBe(1)
    for (const language of ['en', 'ja']) {
      const { data } = (await get(place, caller, { language })).body
      expect(data).toEqual({ ...article, contents: { [language]: contents[language] } })
    }
    expect((await get(place, caller, { lang: 'en' })).status).toBe(400)
  }
})

test('returns 404 for a language without a text and 400 for a malformed language code', async () => {
  const place = aPull(service)
  await generated(place, token, { language: 'ja' })
  for (const caller of [undefined, token]) {
    for (const language of ['en', 'fr']) {
      const { status, body } = await get(place, caller, { language })
      expect([status, body.error.code]).toEqual([404, 'ARTICLE_NOT_FOUND'])
    }
    for (const language of ['JA', 'japanese', 'xx', ''])
      expect((await get(place, caller, { language })).body.error.code).toBe('VALIDATION_ERROR')
  }
})

test('distinguishes a missing article from a missing repository', async () => {
  const place = aPull(service)
  await service.call('ingestPullRequest', { token, params: paramsOf(place) })
  const calls = await service.host.during(async () => {
    for (const caller of [undefined, token])
      expect((await get(place, caller)).body.error.code).toBe('ARTICLE_NOT_FOUND')
  })
  expect(calls.count).toBe(0)
  expect((await get(place.replace('#1', '#2'), token)).body.error.code).toBe('ARTICLE_NOT_FOUND')
  expect((await get('acme/nowhere#1')).body.error.code).toBe('HOST_REPO_NOT_FOUND')
  expect((await get('acme/nowhere#1', token)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
})

test('marks a text as stale when the pull request has a newer head commit', async () => {
  const repository = repositoryOf(service, 'acme/moving', {
    pulls: [{ number: 1, files: [{ filename: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b' }] }],
  })
  const { contents } = await generated('acme/moving#1', token, { language: 'en' })
  expect(contents.en.stale).toBe(false)
  Object.assign(repository.pulls?.[0] ?? {}, { head: 'f'.repeat(40), updatedAt: '2026-02-02T00:00:00Z' })
  await service.call('ingestPullRequest', { token, params: paramsOf('acme/moving#1') })
  expect((await get('acme/moving#1')).body.data.contents.en.stale).toBe(true)
  service.advance(61_000)
  const { contents: regenerated } = await generated('acme/moving#1', token, { language: 'en' })
  expect([regenerated.en.stale, regenerated.en.headSha]).toEqual([false, 'f'.repeat(40)])
})
