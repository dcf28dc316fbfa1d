import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves } from '../support/fakeModel.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')
const HOUR = 60 * 60_000

test('rewriting keeps the id and the ten newest older texts', async () => {
  const place = aPull(service)
  const { id, createdAt } = await generated(place, token)
  for (let i = 1; i <= 12; i++) {
    service.advance(HOUR + 1000)
    service.model.next(
      behaves.changed((good) => ({ ...good, aiGeneratedTitle: `${i}回目に書き直した記事の題名である` })),
    )
    const article = await generated(place, token, { force: true })
    expect([article.id, article.createdAt]).toEqual([id, createdAt])
    expect(article.contents.ja.aiGeneratedTitle).toBe(`${i}回目に書き直した記事の題名である`)
  }
  const kept = await service.ctx.db
    .selectFrom('article_versions')
    .where('article_id', '=', id)
    .orderBy('version')
    .select(['version', 'content'])
    .execute()
  expect(kept.map(({ version }) => version)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(JSON.parse(kept.at(-1)?.content ?? '').aiGeneratedTitle).toBe('11回目に書き直した記事の題名である')
})

test('a failed rewriting leaves the text as it is, and does not count as one', async () => {
  const place = aPull(service)
  const before = await generated(place, token)
  service.model.next(behaves.says('no'), behaves.says('no'))
  const { status } = await articlesOf(service).generate(place, token, { force: true })
  expect(status).toBe(502)
  expect((await articlesOf(service).get(place)).body.data).toEqual(before)
  expect((await articlesOf(service).generate(place, token, { force: true })).status).toBe(200)
})
