import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { likesOf } from '../support/likes.ts'
import { changed, pullsOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { liked } = likesOf(service)
const token = await service.signedUp('reader')
const byId = (articleId: string, caller?: string, query: Record<string, string> = {}) =>
  service.call('getArticleById', { token: caller, params: { articleId }, query })

test('returns an article by its id', async () => {
  const article = await generated(aPull(service), token)
  expect((await byId(article.id, token)).body.data).toEqual(article)
})

test('returns only the text in the requested language', async () => {
  const place = aPull(service)
  await generated(place, token, { language: 'ja' })
  const { id } = await generated(place, token, { language: 'en' })
  for (const caller of [undefined, token]) {
    const { contents, ...article } = (await byId(id, caller)).body.data
    expect(Object.keys(contents)).toEqual(['en', 'ja'])
    for (const language of ['en', 'ja']) {
      const { data } = (await byId(id, caller, { language })).body
      expect(data).toEqual({ ...article, contents: { [language]: contents[language] } })
    }
    expect((await byId(id, caller, { lang: 'en' })).status).toBe(400)
    const missing = await byId(id, caller, { language: 'fr' })
    expect([missing.status, missing.body.error.code]).toEqual([404, 'ARTICLE_NOT_FOUND'])
    expect((await byId(id, caller, { language: 'english' })).status).toBe(400)
  }
})

test('tells each caller which texts they like', async () => {
  const place = aPull(service)
  const other = await service.signedUp('other')
  await generated(place, token, { language: 'ja' })
  const { id, contents } = await generated(place, token, { language: 'en' })
  expect([contents.en.liked, contents.ja.liked]).toEqual([false, false])
  await liked(token, { articleId: id, langCode: 'ja' })
  for (const query of [{}, { evidenceLines: 'true' }]) {
    const likedBy = async (caller?: string) => {
      const { en, ja } = (await byId(id, caller, query)).body.data.contents
      return [en.liked, ja.liked]
    }
    expect(await likedBy(token)).toEqual([false, true])
    expect(await likedBy(other)).toEqual([false, false])
    expect(await likedBy()).toEqual([null, null])
  }
  expect((await byId(id, token, { language: 'ja' })).body.data.contents.ja.liked).toBe(true)
  expect((await generated(place, token, { language: 'ja' })).contents.ja.liked).toBe(true)
})

test('shows the state, labels and size of the pull request, also after it changed', async () => {
  const pull: FakePull = { number: 1, state: 'open', draft: true, labels: ['bug', '"quoted"'], files: [changed('a')] }
  const place = aPull(service, pull)
  const before = { state: 'open', draft: true, merged: false, mergedAt: null, labels: pull.labels, authorIsBot: false }
  const { id } = await generated(place, token)
  expect((await byId(id)).body.data).toMatchObject({ ...before, additions: 1, deletions: 1, changedFiles: 1 })
  const shown = service.host.repositories.at(-1)?.pulls?.[0]
  if (!shown) throw new Error('The pull request is missing.')
  Object.assign(shown, { state: 'closed', draft: false, mergedAt: '2026-02-05T00:00:00Z', labels: [], isBot: true })
  Object.assign(shown, { changedFiles: 3_000_000_000, updatedAt: '2026-02-05T00:00:00Z' })
  await pullsOf(service).ingested(place, token)
  expect((await byId(id)).body.data).toMatchObject({
    ...{ state: 'closed', draft: false, merged: true, mergedAt: '2026-02-05T00:00:00.000Z', labels: [] },
    ...{ authorIsBot: true, changedFiles: 2_147_483_647 },
  })
})

test('returns 404 for an unknown id', async () => {
  for (const caller of [undefined, token]) {
    const { status, body } = await byId(randomUUID(), caller)
    expect([status, body.error.code]).toEqual([404, 'ARTICLE_NOT_FOUND'])
  }
})

test('shows an article about a private repository only to members, even if the visibility check expired', async () => {
  const member = await service.signedUp('member')
  const place = aPull(service, {}, { private: true, members: ['member'] })
  const { id } = await generated(place, member)
  service.advance(6 * 60_000)
  for (const query of [{}, { language: 'ja' }, { evidenceLines: 'true' }]) {
    expect((await byId(id, member, query)).status).toBe(200)
    expect((await byId(id, token, query)).status).toBe(404)
    expect((await byId(id, undefined, query)).status).toBe(404)
  }
})
