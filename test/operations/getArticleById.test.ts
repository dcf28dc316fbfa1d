import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')
const byId = (articleId: string, caller?: string) =>
  service.call('getArticleById', { token: caller, params: { articleId } })

test('returns an article by its id', async () => {
  const article = await generated(aPull(service), token)
  expect((await byId(article.id)).body.data).toEqual(article)
})

test('returns 404 for an unknown id', async () => {
  for (const caller of [undefined, token]) {
    const { status, body } = await byId(randomUUID(), caller)
    expect([status, body.error.code]).toEqual([404, 'ARTICLE_NOT_FOUND'])
  }
})

test('shows a private article to members only, also after the visibility check has expired', async () => {
  const member = await service.signedUp('member')
  const place = aPull(service, {}, { private: true, members: ['member'] })
  const { id } = await generated(place, member)
  service.advance(6 * 60_000)
  expect((await byId(id, member)).status).toBe(200)
  expect((await byId(id, token)).status).toBe(404)
  expect((await byId(id)).status).toBe(404)
})
