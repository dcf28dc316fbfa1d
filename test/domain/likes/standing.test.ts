import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { countChanges, lockWindows, slideWindows } from '../../../src/db/likes/likeCounts.ts'
import { articlesOf } from '../../support/articles.ts'
import { likesOf, type Text } from '../../support/likes.ts'
import { dump, startService } from '../../support/service.ts'

const HOUR = 60 * 60_000

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { aText, like, liked, myLikes, ranking, unlike } = likesOf(service)
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

test('keeps likes when a text is regenerated', async () => {
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

test('removes the likes of a deleted account', async () => {
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

test('keeps like counts correct when a user likes texts while the account is being deleted', async () => {
  const texts = [await aText(writer), await aText(writer), await aText(writer)]
  for (let round = 0; round < 5; round++) {
    const leaver = await service.signedUp(`leaver-${round}`)
    const likes = texts.flatMap((text) => [like(leaver, text), like(leaver, text)])
    const closing = service.call('deleteCurrentUser', { token: leaver })
    const later = texts.map((text) => like(leaver, text))
    for (const { status } of await Promise.all([...likes, closing, ...later]))
      expect([200, 201, 204, 404]).toContain(status)
  }
  const { rows } = await sql<{ count: number }>`select count(*) from likes
    where article_id = any(${texts.map((text) => text.articleId)})`.execute(service.ctx.db)
  expect(rows[0]?.count).toBe(0)
  for (const text of texts) expect((await contentOf(text)).likeCount).toBe(0)
})

test('if one user likes and unlikes concurrently, counts no like twice and no removed like', async () => {
  const text = await aText(writer)
  const fan = await service.signedUp('fan')
  for (let round = 0; round < 30; round++) {
    const [first, given, second] = await Promise.all([unlike(fan, text), like(fan, text), unlike(fan, text)])
    expect([first.body.data.likeCount, second.body.data.likeCount]).toEqual([0, 0])
    expect(given.body.data.likeCount).toBe(1)
  }
})

test('like counts for a period drop all likes that become too old, even 45,000 at once', async () => {
  const text = await aText(writer)
  await liked(reader, text)
  const many = 45_000
  await service.ctx.db.transaction().execute(async (trx) => {
    // These inserts take longer than the statement timeout, which is meant for requests.
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`
      insert into users (id, issuer, subject, host_user_id, host_username, language, created_at, updated_at)
      select gen_random_uuid(), 'crowd', n::text, n, 'crowd-' || n, 'ja', now(), now()
      from generate_series(1, ${sql.lit(many)}) n`.execute(trx)
    await sql`
      with given as (
        insert into likes (user_id, article_id, language, id, liked_at)
        select id, ${text.articleId}, 'ja', gen_random_uuid(), ${service.ctx.now()}::timestamptz - interval '20 days'
        from users where issuer = 'crowd'
        returning article_id, language, id, liked_at
      )
      insert into like_changes select article_id, language, id, 1, liked_at from given`.execute(trx)
  })
  const counts = async (period: string) =>
    (await ranking({ period, limit: 100 })).data.find((row: Row) => row.articleId === text.articleId)?.likeCount
  service.ctx.counting.soon()
  await vi.waitFor(async () => expect(await counts('monthly')).toBe(many + 1), { timeout: 60_000 })
  expect(await counts('weekly')).toBe(1)
  service.advance(11 * 24 * HOUR)
  await vi.waitFor(async () => expect(await counts('monthly')).toBe(1), { timeout: 60_000 })
  expect(await counts('all')).toBe(many + 1)
})

test('likes leave a period correctly while changes are not counted yet', async () => {
  const [given, removed] = [await aText(writer), await aText(writer)]
  await liked(reader, removed)
  await service.ctx.counting.stop()
  const { db } = service.ctx
  await db.transaction().execute(countChanges)
  await liked(reader, given)
  await unlike(reader, removed)
  await db.transaction().execute(async (trx) => {
    const from = await lockWindows(trx)
    await slideWindows(trx, from, { ...from, daily_from: new Date(service.ctx.now().getTime() + HOUR) })
  })
  await db.transaction().execute(countChanges)
  const counts = db.selectFrom('like_counts').where('article_id', 'in', [given.articleId, removed.articleId])
  expect(await counts.select(['all_time', 'daily']).orderBy('all_time').execute()).toEqual([
    { all_time: 0, daily: 0 },
    { all_time: 1, daily: 0 },
  ])
})
