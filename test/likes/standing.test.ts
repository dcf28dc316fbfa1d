import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../support/articles.ts'
import { likesOf, type Text } from '../support/likes.ts'
import { dump, startService } from '../support/service.ts'

const HOUR = 60 * 60_000

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { aText, like, liked, myLikes, ranking } = likesOf(service)
const writer = await service.signedUp('writer')
const reader = await service.signedUp('reader')

const contentOf = async ({ articleId, langCode }: Text) =>
  (await service.call('getArticleById', { params: { articleId } })).body.data.contents[langCode]

interface Row {
  articleId: string
  likeCount: number
}
const rankedCount = async ({ articleId }: Text) =>
  (await ranking({ limit: 100 })).data.find((row: Row) => row.articleId === articleId)?.likeCount

test('likes stay when a text is written anew, forced or after a push', async () => {
  const text = await aText(writer)
  await liked(reader, text)
  await liked(writer, text)
  const first = await contentOf(text)
  service.advance(HOUR + 1000)
  await generated(text.place, writer, { force: true })
  const second = await contentOf(text)
  expect(second.summaryGeneratedAt).not.toBe(first.summaryGeneratedAt)
  expect(second.likeCount).toBe(2)

  const repository = service.host.repositories.find(({ name }) => text.place.includes(`/${name}#`))
  Object.assign(repository?.pulls?.[0] ?? {}, { head: '2'.repeat(40), updatedAt: '2026-06-06T00:00:00Z' })
  service.advance(61_000)
  await generated(text.place, writer)
  const third = await contentOf(text)
  expect([third.headSha, third.likeCount]).toEqual(['2'.repeat(40), 2])
  expect(await rankedCount(text)).toBe(2)
  expect((await like(reader, text)).body.data).toMatchObject({ alreadyLiked: true, likeCount: 2 })
  expect((await myLikes(reader)).data.map((row: Row) => row.articleId)).toContain(text.articleId)
})

test('likes go with the account that gave them', async () => {
  const [one, two] = [await aText(writer), await aText(writer)]
  const leaver = await service.signedUp('leaver')
  for (const text of [one, two]) await liked(leaver, text)
  await liked(reader, one)
  const { body: user } = await service.call('getCurrentUser', { token: leaver })
  expect((await service.call('deleteCurrentUser', { token: leaver })).status).toBe(204)
  expect([(await contentOf(one)).likeCount, (await contentOf(two)).likeCount]).toEqual([1, 0])
  expect([await rankedCount(one), await rankedCount(two)]).toEqual([1, undefined])
  expect(await dump(service.ctx)).not.toContain(user.data.id)
  await service.call('signUp', { token: leaver })
  expect((await myLikes(leaver)).pagination.totalItems).toBe(0)
  expect((await like(leaver, two)).status).toBe(201)
})

test('who likes while their account is closed has liked or has none, and the counts are right', async () => {
  const texts = [await aText(writer), await aText(writer), await aText(writer)]
  for (let round = 0; round < 5; round++) {
    const leaver = await service.signedUp(`leaver-${round}`)
    const taps = texts.flatMap((text) => [like(leaver, text), like(leaver, text)])
    const closing = service.call('deleteCurrentUser', { token: leaver })
    const later = texts.map((text) => like(leaver, text))
    for (const { status } of await Promise.all([...taps, closing, ...later]))
      expect([200, 201, 204, 404]).toContain(status)
  }
  const { rows } = await sql<{ count: number }>`select count(*) from likes
    where article_id = any(${texts.map((text) => text.articleId)})`.execute(service.ctx.db)
  expect(rows[0]?.count).toBe(0)
  for (const text of texts) expect((await contentOf(text)).likeCount).toBe(0)
})
