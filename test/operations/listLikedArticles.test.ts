import { afterAll, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { articlesOf, setLead } from '../support/articles.ts'
import { likesOf, type Text } from '../support/likes.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { aText, change, liked, myLikes, unlike } = likesOf(service)
const writer = await service.signedUp('writer')

const idsOf = ({ data }: { data: { articleId: string }[] }) => data.map((row) => row.articleId)

async function likesInTurn(token: string, texts: Text[]): Promise<void> {
  for (const text of texts) {
    await liked(token, text)
    service.advance(1000)
  }
}

test('lists the likes of the user, newest first', async () => {
  const reader = await service.signedUp('reader')
  const texts = [await aText(writer), await aText(writer), await aText(writer)]
  await likesInTurn(reader, texts)
  const { likeCount } = await liked(writer, texts[0] as Text)
  expect(likeCount).toBe(2)
  await setLead(service, texts[0]?.articleId ?? '', 'ja', '鍵を`一定の時間`で比べます。')
  const { data, pagination } = await myLikes(reader)
  expect(pagination).toEqual({ totalItems: 3, limit: 10, offset: 0, nextCursor: null })
  expect(idsOf({ data })).toEqual(texts.map((text) => text.articleId).reverse())
  expect(data[2]).toEqual({
    articleId: texts[0]?.articleId,
    languageCode: 'ja',
    likedAt: expect.any(String),
    aiGeneratedTitle: 'A change',
    lead: '鍵を`一定の時間`で比べます。',
    repositoryFullName: texts[0]?.place.split('#')[0],
    owner: 'acme',
    repo: texts[0]?.place.split(/[/#]/)[1],
    prNumber: 1,
    url: `${service.url}/read/articles/${texts[0]?.articleId}?language=ja`,
    likeCount: 2,
  })
  expect(data[1].lead).toEqual(expect.any(String))
  expect(idsOf(await myLikes(reader, { sort: 'likedAt_asc' }))).toEqual(texts.map((text) => text.articleId))
})

test('returns the same rows at every page size, in both orders', async () => {
  const reader = await service.signedUp('pager')
  const texts = []
  for (let i = 0; i < 13; i++) texts.push(await aText(writer))
  await likesInTurn(reader, texts)
  const all = texts.map((text) => text.articleId)
  for (const [sort, wanted] of [
    ['likedAt_asc', all],
    ['likedAt_desc', all.toReversed()],
  ] as const)
    for (const limit of [1, 5, 10, 12]) {
      const seen: string[] = []
      for (let offset = 0; offset < 13; offset += limit) {
        const page = await myLikes(reader, { sort, limit, offset })
        expect(page.pagination).toMatchObject({ totalItems: 13, limit, offset })
        seen.push(...idsOf(page))
      }
      expect(seen).toEqual(wanted)
    }
  expect(await myLikes(reader, { offset: 10_000 })).toMatchObject({ data: [], pagination: { totalItems: 13 } })
})

test('filters by language', async () => {
  const reader = await service.signedUp('polyglot')
  const text = await aText(writer)
  await generated(text.place, writer, { language: 'en' })
  await liked(reader, text)
  await liked(reader, { ...text, langCode: 'en' })
  const codes = async (query = {}) =>
    (await myLikes(reader, query)).data.map((row: { languageCode: string }) => row.languageCode)
  expect(await codes()).toEqual(['en', 'ja'])
  expect(await codes({ lang: 'ja' })).toEqual(['ja'])
  expect((await myLikes(reader, { lang: 'en' })).pagination.totalItems).toBe(1)
  expect(await codes({ language: 'fr' })).toEqual([])
  expect(await codes({ language: 'ja' })).toEqual(['ja'])
  expect(await codes({ language: 'ja', lang: 'ja' })).toEqual(['ja'])
  const query = { language: 'ja', lang: 'en' }
  const { status, body } = await service.call('listLikedArticles', { token: reader, query })
  expect([status, body.error.details.issues[0].path]).toEqual([400, '/lang'])
  expect((await service.call('listLikedArticles', { token: 'garbage', query })).status).toBe(401)
})

test('omits a like while the user cannot see its repository, and lists the like again afterwards', async () => {
  const member = await service.signedUp('member')
  const open = await aText(writer)
  const hidden = await aText(member, 'ja', { private: true, members: ['member'] })
  await likesInTurn(member, [open, hidden])
  expect(idsOf(await myLikes(member))).toEqual([hidden.articleId, open.articleId])

  change(hidden, { members: [] })
  service.advance(6 * 60_000)
  expect(await myLikes(member)).toMatchObject({ data: [{ articleId: open.articleId }], pagination: { totalItems: 1 } })
  expect((await unlike(member, hidden)).status).toBe(404)

  change(hidden, { members: ['member'] })
  service.advance(6 * 60_000)
  expect((await myLikes(member)).pagination.totalItems).toBe(2)
})

test('renews an expired visibility check before the response', async () => {
  const member = await service.signedUp('owner')
  const hidden = await aText(member, 'ja', { private: true, members: ['owner'] })
  await liked(member, hidden)
  service.advance(6 * 60_000)
  const calls = await service.host.during(async () => {
    expect(idsOf(await myLikes(member))).toEqual([hidden.articleId])
  })
  expect(calls.paths).toEqual([expect.stringMatching(/^\/repositories\/\d+$/), expect.stringMatching(/\/pulls$/)])
  const again = await service.host.during(async () => void (await myLikes(member)))
  expect(again.count).toBe(0)
})

test('verifies a public repository with the user’s token if anonymous checks have failed for a week', async () => {
  const reader = await service.signedUp('trusting')
  const text = await aText(writer)
  await liked(reader, text)
  service.advance(7 * 24 * 60 * 60_000 + 60_000)
  const { host } = service
  host.fail({
    path: /^\/repositories\//,
    times: 100,
    act: (request, response) =>
      request.headers.authorization
        ? host.answer(request, response)
        : faults.status(403, { 'retry-after': '60' })(request, response),
  })
  const params = { articleId: text.articleId }
  await expect.poll(async () => (await service.call('getArticleById', { params })).status).toBe(404)
  expect(idsOf(await myLikes(reader))).toEqual([text.articleId])
  host.heal()
})
