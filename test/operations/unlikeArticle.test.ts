import { afterAll, expect, test } from 'vitest'
import { likesOf } from '../support/likes.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { aText, liked, myLikes, unlike } = likesOf(service)
const reader = await service.signedUp('reader')
const other = await service.signedUp('other')

test('removes the like and returns the remaining count', async () => {
  const text = await aText(reader)
  await liked(reader, text)
  await liked(other, text)
  const { status, body } = await unlike(reader, text)
  expect([status, body.data]).toEqual([200, { likeCount: 1 }])
  expect((await myLikes(reader)).pagination.totalItems).toBe(0)
})

test('unliking is idempotent and never makes the count negative', async () => {
  const text = await aText(reader)
  for (const _ of [1, 2]) expect((await unlike(reader, text)).body.data).toEqual({ likeCount: 0 })
  await liked(other, text)
  const responses = await Promise.all(Array.from({ length: 10 }, () => unlike(other, text)))
  for (const response of responses) expect(response.body.data.likeCount).toBeGreaterThanOrEqual(0)
  expect((await unlike(other, text)).body.data).toEqual({ likeCount: 0 })
})

test('returns 404 for a language that the article does not have', async () => {
  const text = await aText(reader)
  expect((await unlike(reader, { ...text, langCode: 'fr' })).body.error.code).toBe('ARTICLE_NOT_FOUND')
})
