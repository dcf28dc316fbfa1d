import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../support/articles.ts'
import { likesOf } from '../support/likes.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { aText, like, liked, unlike } = likesOf(service)
const reader = await service.signedUp('reader')
const other = await service.signedUp('other')

const countsOf = async ({ articleId }: { articleId: string }) => {
  const { body } = await service.call('getArticleById', { params: { articleId } })
  const contents = Object.entries<{ likeCount: number }>(body.data.contents)
  return {
    total: body.data.totalLikeCount,
    ...Object.fromEntries(contents.map(([language, content]) => [language, content.likeCount])),
  }
}

test('likes a text', async () => {
  const text = await aText(reader)
  const { body: me } = await service.call('getCurrentUser', { token: reader })
  const { status, body } = await like(reader, text)
  expect(status).toBe(201)
  expect(body.data).toEqual({
    like: {
      id: expect.any(String),
      userId: me.data.id,
      articleId: text.articleId,
      languageCode: 'ja',
      likedAt: expect.any(String),
    },
    likeCount: 1,
    alreadyLiked: false,
  })
  expect((await liked(other, text)).likeCount).toBe(2)
  expect(await countsOf(text)).toEqual({ total: 2, ja: 2 })
})

test('returns the article id in lower case, also if it was sent in upper case', async () => {
  const text = await aText(reader)
  const { body } = await like(reader, { ...text, articleId: text.articleId.toUpperCase() })
  expect(body.data.like.articleId).toBe(text.articleId)
})

test('counts repeated likes once', async () => {
  const text = await aText(reader)
  const first = await liked(reader, text)
  await liked(other, text)
  const { status, body } = await like(reader, text)
  expect([status, body.data]).toEqual([200, { like: first.like, likeCount: 2, alreadyLiked: true }])
  const responses = await Promise.all(Array.from({ length: 20 }, () => like(reader, text)))
  expect(responses.map((response) => response.body.data)).toEqual(responses.map(() => body.data))
  expect(await countsOf(text)).toEqual({ total: 2, ja: 2 })
})

test('creates one like from concurrent first requests', async () => {
  const text = await aText(reader)
  const responses = await Promise.all(Array.from({ length: 20 }, () => like(reader, text)))
  expect(responses.filter((response) => response.status === 201)).toHaveLength(1)
  expect(new Set(responses.map((response) => response.body.data.like.id)).size).toBe(1)
  expect(new Set(responses.map((response) => response.body.data.likeCount))).toEqual(new Set([1]))
})

test('counts the likes of each language separately', async () => {
  const text = await aText(reader)
  await generated(text.place, reader, { language: 'en' })
  await liked(reader, text)
  await liked(reader, { ...text, langCode: 'en' })
  await liked(other, { ...text, langCode: 'en' })
  expect(await countsOf(text)).toEqual({ total: 3, ja: 1, en: 2 })
})

test('creates a new like after an unlike', async () => {
  const text = await aText(reader)
  const first = await liked(reader, text)
  await unlike(reader, text)
  const second = await liked(reader, text)
  expect(second.like.id).not.toBe(first.like.id)
  expect(second.likeCount).toBe(1)
})

test('returns 404 for an unknown article or language', async () => {
  const text = await aText(reader)
  for (const missing of [
    { ...text, langCode: 'fr' },
    { ...text, articleId: crypto.randomUUID() },
  ]) {
    const { status, body } = await like(reader, missing)
    expect([status, body.error.code]).toEqual([404, 'ARTICLE_NOT_FOUND'])
  }
})

test('requires an account, and authenticates the caller before it validates the request', async () => {
  const text = await aText(reader)
  const stranger = service.host.token('stranger')
  expect((await like(stranger, text)).body.error.code).toBe('USER_NOT_FOUND')
  expect((await like(undefined, text)).status).toBe(401)
  expect((await like('garbage', { articleId: 'no-id', langCode: 'english' })).status).toBe(401)
  expect((await like(stranger, { articleId: 'no-id', langCode: 'english' })).status).toBe(404)
  expect((await like(reader, { articleId: 'no-id', langCode: 'english' })).status).toBe(400)
  const path = `/articles/${text.articleId}/language/ja/like`
  const send = (token: string) =>
    service.send('POST', path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{',
    })
  expect((await send('garbage')).status).toBe(401)
  expect((await send(reader)).status).toBe(400)
  expect(await countsOf(text)).toEqual({ total: 0, ja: 0 })
})

test('rejects logged-out and revoked tokens', async () => {
  const text = await aText(reader)
  const ended = service.host.token('reader')
  await service.call('getCurrentUser', { token: ended })
  await service.call('logOut', { token: ended })
  expect((await like(ended, text)).status).toBe(401)
  const revoked = service.host.token('reader')
  await service.call('getCurrentUser', { token: revoked })
  service.host.revoke(revoked)
  service.advance(11 * 60_000)
  expect((await like(revoked, text)).status).toBe(401)
  expect(await countsOf(text)).toEqual({ total: 0, ja: 0 })
})

test('verifies the token with the code host again after ten minutes', async () => {
  const text = await aText(reader)
  service.advance(11 * 60_000)
  expect((await like(other, text)).status).toBe(201)
})
