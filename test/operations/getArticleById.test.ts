import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')
const byId = (articleId: string, asker?: string) =>
  service.call('getArticleById', { token: asker, params: { articleId } })

test('reads an article by its id', async () => {
  const article = await generated(aPull(service), token)
  expect((await byId(article.id)).body.data).toEqual(article)
})

test('is not found where there is none', async () => {
  for (const asker of [undefined, token]) {
    const { status, body } = await byId(randomUUID(), asker)
    expect([status, body.error.code]).toEqual([404, 'ARTICLE_NOT_FOUND'])
  }
})

test('is shown to a member of a private repository, also when the last proof is old, and to nobody else', async () => {
  const member = await service.signedUp('member')
  const place = aPull(service, {}, { private: true, members: ['member'] })
  const { id } = await generated(place, member)
  service.advance(6 * 60_000)
  expect((await byId(id, member)).status).toBe(200)
  expect((await byId(id, token)).status).toBe(404)
  expect((await byId(id)).status).toBe(404)
})
