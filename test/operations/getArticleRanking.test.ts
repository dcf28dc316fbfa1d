import { afterAll, afterEach, expect, test } from 'vitest'
import { articlesOf, setLead } from '../support/articles.ts'
import { likesOf, type Text } from '../support/likes.ts'
import { startService } from '../support/service.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { aText, like, liked, ranking, unlike } = likesOf(service)
const readers = await Promise.all(Array.from({ length: 6 }, (_, i) => service.signedUp(`reader-${i}`)))
const [writer = ''] = readers

const NOTHING = { data: [], pagination: { totalItems: 0, limit: 10, offset: 0, nextCursor: null } }

let likesToRemove: { token: string; text: Text }[] = []
async function likedBy(count: number, text: Text): Promise<void> {
  for (const token of readers.slice(0, count)) {
    await liked(token, text)
    likesToRemove.push({ token, text })
  }
}
afterEach(async () => {
  for (const { token, text } of likesToRemove) await unlike(token, text)
  likesToRemove = []
  expect(await ranking()).toEqual(NOTHING)
})

interface Row {
  rank: number
  articleId: string
  languageCode: string
  lead: string | null
  likeCount: number
  liked: boolean | null
}
const summarize = ({ data }: { data: Row[] }) => data.map((row) => [row.articleId, row.languageCode, row.likeCount])

test('ranks texts by likes, then newest article first, then by language, and omits texts without likes', async () => {
  const [one, two, three, none] = [await aText(writer), await aText(writer), await aText(writer), await aText(writer)]
  await generated(two.place, writer, { language: 'en' })
  await likedBy(2, one)
  await likedBy(1, two)
  await likedBy(1, { ...two, langCode: 'en' })
  await likedBy(3, three)
  await setLead(service, one.articleId, 'ja', '鍵を**一定の時間**で比べます。')
  const page = await ranking()
  expect(page.pagination).toEqual({ totalItems: 4, limit: 10, offset: 0, nextCursor: null })
  expect(summarize(page)).toEqual([
    [three.articleId, 'ja', 3],
    [one.articleId, 'ja', 2],
    [two.articleId, 'en', 1],
    [two.articleId, 'ja', 1],
  ])
  expect(page.data[1]).toEqual({
    rank: 2,
    articleId: one.articleId,
    languageCode: 'ja',
    aiGeneratedTitle: 'A change',
    lead: '鍵を**一定の時間**で比べます。',
    repositoryFullName: one.place.split('#')[0],
    owner: 'acme',
    repo: one.place.split(/[/#]/)[1],
    prNumber: 1,
    url: `${service.url}/read/articles/${one.articleId}?language=ja`,
    likeCount: 2,
    periodLikeCount: 2,
    liked: null,
  })
  expect(page.data.map((row: Row) => typeof row.lead)).toEqual(['string', 'string', 'string', 'string'])
  await likedBy(1, none)
  expect((await ranking()).data.slice(2).map((row: Row) => row.articleId)).toEqual([
    none.articleId,
    two.articleId,
    two.articleId,
  ])
})

test('counts likes and unlikes immediately', async () => {
  const text = await aText(writer)
  for (let i = 0; i < 3; i++) {
    await liked(writer, text)
    expect(summarize(await ranking())).toEqual([[text.articleId, 'ja', 1]])
    await unlike(writer, text)
    expect(summarize(await ranking({ period: 'daily' }))).toEqual([])
  }
})

test('filters by language', async () => {
  const text = await aText(writer)
  await generated(text.place, writer, { language: 'en' })
  await likedBy(3, text)
  await likedBy(2, { ...text, langCode: 'en' })
  expect(summarize(await ranking({ language: 'en' }))).toEqual([[text.articleId, 'en', 2]])
  expect((await ranking({ language: 'en' })).data[0].rank).toBe(1)
  expect((await ranking({ language: 'ja' })).pagination.totalItems).toBe(1)
  expect((await ranking({ language: 'all' })).pagination.totalItems).toBe(2)
  expect(await ranking({ language: 'fr' })).toEqual(NOTHING)
})

test('returns the same rows at every page size', async () => {
  for (let i = 0; i < 12; i++) await likedBy((i % 3) + 1, await aText(writer))
  const whole: Row[] = (await ranking({ limit: 100 })).data
  expect(whole.map((row) => row.rank)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  for (const period of ['all', 'weekly'])
    for (const limit of [1, 5, 10, 11]) {
      const joined: Row[] = []
      for (let offset = 0; offset < 12; offset += limit) {
        const page = await ranking({ period, limit, offset })
        expect(page.pagination).toMatchObject({ totalItems: 12, limit, offset })
        joined.push(...page.data)
      }
      expect(joined).toEqual(whole)
    }
  expect((await ranking({ offset: 10_000 })).data).toEqual([])
})

test('marks the rows that the viewer likes', async () => {
  const [one, two] = [await aText(writer), await aText(writer)]
  await likedBy(3, one)
  await likedBy(1, two)
  const marks = async (token?: string) => (await ranking({}, token)).data.map((row: Row) => row.liked)
  expect(await marks(readers[0])).toEqual([true, true])
  expect(await marks(readers[1])).toEqual([true, false])
  expect(await marks(readers[5])).toEqual([false, false])
  expect(await marks()).toEqual([null, null])
  expect(await marks(service.host.token('without-account'))).toEqual([null, null])
})

test('counts the likes of each period to the minute, without removed likes', async () => {
  const [old, young] = [await aText(writer), await aText(writer)]
  await likedBy(4, old)
  service.advance(12 * HOUR)
  await likedBy(2, young)
  const counts = async (period: string) => {
    const { data, pagination } = await ranking({ period })
    expect(pagination.totalItems).toBe(data.length)
    return Object.fromEntries(
      data.map((row: Row) => [row.articleId === old.articleId ? 'old' : 'young', row.likeCount]),
    )
  }
  expect(await counts('daily')).toEqual({ old: 4, young: 2 })
  // One of the old likes is removed for good; another is removed and given again.
  await unlike(readers[0] ?? '', old)
  await unlike(readers[1] ?? '', old)
  await liked(readers[1] ?? '', old)
  expect(await counts('daily')).toEqual({ old: 3, young: 2 })
  service.advance(12 * HOUR + 60_000)
  expect(await counts('daily')).toEqual({ old: 1, young: 2 })
  expect(await counts('weekly')).toEqual({ old: 3, young: 2 })
  service.advance(12 * HOUR)
  expect(await counts('daily')).toEqual({})
  // A like older than the period no longer counts, so removing it must not lower the count again.
  await unlike(readers[2] ?? '', old)
  expect(await counts('daily')).toEqual({})
  expect(await counts('weekly')).toEqual({ old: 2, young: 2 })
  service.advance(6 * DAY)
  expect(await counts('weekly')).toEqual({})
  expect(await counts('monthly')).toEqual({ old: 2, young: 2 })
  service.advance(23 * DAY)
  expect(await counts('monthly')).toEqual({})
  expect(await counts('all')).toEqual({ old: 2, young: 2 })
})

test('rejects invalid parameter values, invalid tokens, and likes of unknown articles', async () => {
  for (const query of [{ period: 'yearly' }, { language: 'english' }, { limit: 0 }, { limit: 101 }, { offset: 10_001 }])
    expect((await service.call('getArticleRanking', { query: query as Record<string, string> })).status).toBe(400)
  expect((await service.call('getArticleRanking', { token: 'garbage' })).status).toBe(401)
  expect((await like(writer, { articleId: crypto.randomUUID(), langCode: 'ja' })).status).toBe(404)
})
