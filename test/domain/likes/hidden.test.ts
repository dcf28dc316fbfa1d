import { sql } from 'kysely'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { checkRankedRepositories } from '../../../src/domain/likes/keepRankingFresh.ts'
import { articlesOf } from '../../support/articles.ts'
import { likesOf, type Text } from '../../support/likes.ts'
import { startService } from '../../support/service.ts'

const MINUTES = 60_000
const issued = 'service-token-0123456789abcdef'
const service = await startService({ env: { CODE_HOST_TOKEN: issued } })
service.host.admit(issued, 'service')
afterAll(() => service.close())
afterEach(() => service.host.heal())
const { generated } = articlesOf(service)
const { aText, change, like, liked, myLikes, ranking, unlike } = likesOf(service)
const writer = await service.signedUp('writer')
const reader = await service.signedUp('reader')

const ranked = async (token?: string): Promise<string[]> => {
  const { data, pagination } = await ranking({ limit: 100 }, token)
  expect(pagination.totalItems).toBe(data.length)
  return data.map((row: Text) => row.articleId)
}
const waitUntilUnranked = ({ articleId }: Text) =>
  vi.waitFor(async () => expect(await ranked()).not.toContain(articleId), { timeout: 60_000 })

test('counts likes of a private article, but never ranks it', async () => {
  const text = await aText(writer, 'ja', { private: true, members: ['writer', 'reader'] })
  expect((await liked(writer, text)).likeCount).toBe(1)
  expect((await liked(reader, text)).likeCount).toBe(2)
  for (const token of [undefined, writer, reader]) expect(await ranked(token)).not.toContain(text.articleId)
  expect((await myLikes(reader)).data[0]).toMatchObject({ articleId: text.articleId, likeCount: 2 })
  const stranger = await service.signedUp('stranger')
  expect((await like(stranger, text)).body.error.code).toBe('ARTICLE_NOT_FOUND')
  expect((await unlike(stranger, text)).body.error.code).toBe('ARTICLE_NOT_FOUND')
})

test('removes an article from the ranking as soon as a visibility check finds its repository private', async () => {
  const text = await aText(writer)
  await liked(reader, text)
  expect(await ranked()).toContain(text.articleId)
  change(text, { private: true, members: ['writer'] })
  service.advance(6 * MINUTES)
  await ranking()
  await waitUntilUnranked(text)
  expect((await myLikes(reader)).data.map((row: Text) => row.articleId)).not.toContain(text.articleId)
  expect((await like(reader, text)).status).toBe(404)
  expect((await like(writer, text)).status).toBe(201)

  // Once its repository is public again, the article returns to the ranking with its likes.
  change(text, { private: false })
  service.advance(6 * MINUTES)
  expect((await service.call('getArticleById', { token: writer, params: { articleId: text.articleId } })).status).toBe(
    200,
  )
  expect(await ranked()).toContain(text.articleId)
  expect((await like(reader, text)).body.data).toMatchObject({ alreadyLiked: true, likeCount: 2 })
})

test('the ranking omits articles hidden since the last count of likes, and leaves no gaps in the ranks', async () => {
  const texts = [await aText(writer), await aText(writer), await aText(writer)]
  for (const text of texts) await liked(reader, text)
  const places = (await ranking({ limit: 100 })).data as (Text & { rank: number })[]
  const hidden = places[1] as Text
  await service.ctx.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      update repositories set doubted = true from articles
      where articles.host_repo_id = repositories.host_repo_id and articles.id = ${hidden.articleId}`.execute(trx)
  })
  const { data } = await ranking({ limit: 100 })
  expect(data.map((row: Text) => row.articleId)).toEqual(
    places.map((row) => row.articleId).filter((id) => id !== hidden.articleId),
  )
  expect(data.map((row: { rank: number }) => row.rank)).toEqual(data.map((_: unknown, i: number) => i + 1))
  await sql`update repositories set doubted = false where doubted`.execute(service.ctx.db)
})

const PERIODS = ['daily', 'weekly', 'monthly', 'all']
test.each(PERIODS)('the total of the ranking %s drops with visibility', async (period) => {
  const text = await aText(writer)
  await liked(reader, text)
  const total = async () => (await ranking({ period })).pagination.totalItems
  const before = await total()
  await sql`
    update repositories set doubted = true from articles
    where articles.host_repo_id = repositories.host_repo_id and articles.id = ${text.articleId}`.execute(service.ctx.db)
  await expect.poll(total, { timeout: 5000 }).toBe(before - 1)
})

test('removes an article that became private even if it is not read, because ranked repositories are checked early', async () => {
  const text = await aText(writer)
  await liked(reader, text)
  expect(await ranked()).toContain(text.articleId)
  change(text, { private: true, members: [] })
  service.advance(4 * MINUTES + 1000)
  await checkRankedRepositories(service.ctx)
  await waitUntilUnranked(text)
})

test('once a private repository becomes public, ranks a text written before only after its regeneration', async () => {
  const text = await aText(writer, 'ja', { private: true, members: ['writer'] })
  await liked(writer, text)
  change(text, { private: false })
  service.advance(6 * MINUTES)
  expect((await service.call('getArticleById', { token: writer, params: { articleId: text.articleId } })).status).toBe(
    404,
  )
  expect(await ranked()).not.toContain(text.articleId)
  service.advance(60 * MINUTES)
  await generated(text.place, writer, { force: true })
  expect(await ranked()).toContain(text.articleId)
})

test('returns the previous ranking while the code host hangs', async () => {
  const text = await aText(writer)
  await liked(reader, text)
  service.advance(6 * MINUTES)
  service.host.fail({ path: /repositories/, times: 100, act: faults.hang })
  const started = performance.now()
  expect(await ranked()).toContain(text.articleId)
  expect(performance.now() - started).toBeLessThan(1000)
  expect((await like(writer, text)).status).toBe(201)
})
