import { afterAll, expect, test } from 'vitest'
import { reserveTokens, tokensOf } from '../../../src/db/articles/quotas.ts'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { behaves } from '../../support/fakeModel.ts'

const DAY = 24 * 60 * 60
const service = await startWritingService({ ARTICLE_QUOTA_PER_DAY: '2', MODEL_TOKENS_PER_DAY: '18000' })
afterAll(() => service.close())
const { generate, generated } = articlesOf(service)

test('limits new articles per user and day, and does not count requests for existing articles', async () => {
  const token = await service.signedUp('eager')
  const other = await service.signedUp('other')
  const places = [aPull(service), aPull(service)]
  for (const place of places) await generated(place, token)
  const { status, body, headers } = await generate(aPull(service), token)
  expect([status, body.error.code, body.error.details]).toEqual([429, 'QUOTA_EXCEEDED', { limit: 2 }])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(DAY)
  for (const place of places) expect((await generate(place, token)).status).toBe(200)
  expect((await generate(aPull(service), other)).status).toBe(200)
  service.advance(DAY * 1000)
  expect((await generate(aPull(service), token)).status).toBe(200)
})

test('counts a shared job against the quota of the user who started it', async () => {
  service.advance(DAY * 1000)
  const [first = '', second = ''] = await Promise.all(['one', 'two'].map((name) => service.signedUp(name)))
  const place = aPull(service)
  service.model.next(behaves.slow(300))
  await generate(place, first, undefined, { prefer: 'respond-async' })
  await generate(place, second)
  const started = await service.ctx.db
    .selectFrom('article_quotas')
    .innerJoin('users', 'users.id', 'article_quotas.user_id')
    .where('users.host_username', 'in', ['one', 'two'])
    .select(['users.host_username', 'article_quotas.started'])
    .execute()
  expect(started).toEqual([{ host_username: 'one', started: 1 }])
})

test('reserves no tokens once the limit of the day is reached exactly', async () => {
  const reserve = () => reserveTokens(service.ctx.db, '2026-01-01', 50, 100)
  expect([await reserve(), await reserve(), await reserve()]).toEqual([true, true, false])
  expect(await tokensOf(service.ctx.db, '2026-01-01')).toBe(100)
})

test('starts no job once the daily token budget is spent', async () => {
  service.advance(DAY * 1000)
  const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((name) => service.signedUp(name)))
  const statuses: number[] = []
  for (const token of tokens) for (const _ of [1, 2]) statuses.push((await generate(aPull(service), token)).status)
  // Each job takes nearly 3,900 of the 18,000 model tokens for a day.
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  const { body, headers } = await generate(aPull(service), tokens[3])
  expect(body.error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { limit: 18000 } })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('warns the operator once a day when 80 % and when all of the model tokens are used', () => {
  const warnings = service.logged.filter((line) => line.includes('"variable":"MODEL_TOKENS_PER_DAY"'))
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, percent: 80, limit: 18000, tokens: expect.any(Number) },
    { level: 40, percent: 100, limit: 18000, tokens: expect.any(Number) },
  ])
})
