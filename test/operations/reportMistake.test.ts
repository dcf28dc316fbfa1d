import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sweepInTurn } from '../../src/runtime/maintenance/sweeping.ts'
import { articlesOf } from '../support/articles.ts'
import { likesOf, type Text } from '../support/likes.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { aText, change, like } = likesOf(service)
const writer = await service.signedUp('writer')
const DAY_MS = 24 * 60 * 60_000
let users = 0
let reader = ''
beforeEach(async () => {
  users += 1
  reader = await service.signedUp(`reader-${users}`)
})

const report = (token: string, { articleId, langCode }: Text, body: unknown) =>
  service.call('reportMistake', { token, params: { articleId, langCode }, body })

const stored = async ({ articleId }: Text) =>
  service.ctx.db
    .selectFrom('mistakes')
    .where('article_id', '=', articleId)
    .select(['id', 'language', 'description', 'quote', 'created_at', 'closed_at'])
    .orderBy('id')
    .execute()

test('stores a report', async () => {
  const text = await aText(writer)
  const { status, body } = await report(reader, text, { description: ' No such option.\r\n', quote: 'an option' })
  expect(status).toBe(201)
  expect(await stored(text)).toEqual([
    {
      id: body.data.id,
      ...{ language: 'ja', description: 'No such option.', quote: 'an option', closed_at: null },
      created_at: new Date(body.data.createdAt),
    },
  ])
})

test('returns the first report if the same user sends an equal one within a day', async () => {
  const text = await aText(writer)
  await articlesOf(service).generated(text.place, writer, { language: 'en' })
  const first = await report(reader, text, { description: 'No such option.' })
  const answers = await Promise.all(
    ['No such option.', 'No such option.\n', 'No such \0option.'].map((description) =>
      report(reader, text, { description, quote: ' ' }),
    ),
  )
  for (const { status, body } of answers) expect([status, body.data]).toEqual([200, first.body.data])
  expect(await stored(text)).toHaveLength(1)

  const others = [
    report(await service.signedUp('another'), text, { description: 'No such option.' }),
    report(reader, text, { description: 'No such option.', quote: 'an option' }),
    report(reader, await aText(writer), { description: 'No such option.' }),
    report(reader, { ...text, langCode: 'en' }, { description: 'No such option.' }),
  ]
  for (const other of others) expect((await other).status).toBe(201)
  service.advance(DAY_MS)
  expect((await report(reader, text, { description: 'No such option.' })).status).toBe(201)
})

test('stores concurrent equal reports once', async () => {
  const text = await aText(writer)
  const answers = await Promise.all(Array.from({ length: 10 }, () => report(reader, text, { description: 'Wrong.' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
  expect(await stored(text)).toHaveLength(1)
})

test('accepts at most 20 reports a day from a user, even if requests are concurrent', async () => {
  const text = await aText(writer)
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, i) => report(reader, text, { description: `Mistake ${i}` })),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(429))
  expect(refused[0]?.body.error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { limit: 20 } })
  const seconds = Number(refused[0]?.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(DAY_MS / 1000)
  const accepted = answers.findIndex(({ status }) => status === 201)
  expect((await report(reader, text, { description: `Mistake ${accepted}` })).status).toBe(200)
  expect((await report(writer, text, { description: 'Mistake' })).status).toBe(201)
  service.advance(seconds * 1000)
  expect((await report(reader, text, { description: 'Mistake of the next day' })).status).toBe(201)
})

test('rejects reports that do not fit the contract', async () => {
  const text = await aText(writer)
  const bodies = [
    {},
    { description: '' },
    { description: ' \n\0' },
    { description: 'x'.repeat(2001) },
    { description: 'x', quote: 'x'.repeat(501) },
    { description: 'x', reporter: 'me' },
    { description: 1 },
  ]
  for (const body of bodies) expect((await report(reader, text, body)).body.error.code).toBe('VALIDATION_ERROR')
  expect((await report(reader, text, { description: '誤'.repeat(2000), quote: '字'.repeat(500) })).status).toBe(201)
  expect(await stored(text)).toHaveLength(1)
})

test('returns the same errors as likeArticle for texts that the user cannot see', async () => {
  const hidden = await aText(writer, 'ja', { private: true, members: ['writer'] })
  const shown = await aText(writer)
  for (const text of [hidden, { ...shown, langCode: 'fr' }, { ...shown, articleId: crypto.randomUUID() }]) {
    const [reported, liked] = [await report(reader, text, { description: 'Wrong.' }), await like(reader, text)]
    expect([reported.status, reported.body.error.code]).toEqual([liked.status, liked.body.error.code])
    expect(reported.body.error.code).toBe('ARTICLE_NOT_FOUND')
  }
  expect((await report(writer, hidden, { description: 'Wrong.' })).status).toBe(201)
  change(shown, { private: true, members: ['writer'] })
  service.advance(61 * 60_000)
  expect((await report(reader, shown, { description: 'Wrong.' })).status).toBe(404)
  expect(await stored(shown)).toEqual([])
})

test('deletes a report together with its article, or after a year', async () => {
  const [kept, deleted] = [await aText(writer), await aText(writer)]
  for (const text of [kept, deleted]) await report(reader, text, { description: 'Wrong.' })
  await sql`delete from articles where id = ${deleted.articleId}`.execute(service.ctx.db)
  expect([(await stored(kept)).length, (await stored(deleted)).length]).toEqual([1, 0])
  service.advance(364 * DAY_MS)
  await sweepInTurn(service.ctx, new AbortController().signal)
  expect(await stored(kept)).toHaveLength(1)
  service.advance(2 * DAY_MS)
  await sweepInTurn(service.ctx, new AbortController().signal)
  expect(await stored(kept)).toEqual([])
})
