import { type Kysely, sql } from 'kysely'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { fill, requireNoRealUsers, sizeFor } from '../../scripts/seed/fill.ts'
import { readOptions } from '../../scripts/seed/options.ts'
import { openDatabase } from '../../src/db/engine/open.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { Secret } from '../../src/lib/secret.ts'
import { createTestDatabase } from '../support/database.ts'
import { likesOf } from '../support/likes.ts'
import { startService } from '../support/service.ts'

const PERIODS = ['all_time', 'monthly', 'weekly', 'daily'] as const
/** Small, because every test of this file reads or counts all of it. */
const SIZE = { users: 100, articles: 60 }
type Period = (typeof PERIODS)[number]

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
const first = await fillBeforeStart()
const service = await startService({ beside: { host, database } })
afterAll(async () => {
  await service.close()
  await database.drop()
  await host.close()
})
const { db } = service.ctx
const { liked, ranking } = likesOf(service)

async function fillBeforeStart() {
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = database.env
  const databaseUrl = url === undefined ? undefined : new Secret(url)
  const opened = await openDatabase({ databaseUrl, dataDir, onConnectionError: console.error })
  const filled = await fill(opened.db, { ...SIZE, likes: 800, sessions: 3 })
  await requireNoRealUsers(opened.db)
  await opened.close()
  return filled
}

/** Counts the likes of each text directly from the stored likes, highest count first. */
async function truth(of: Kysely<Schema>, period: Period = 'all_time') {
  const { rows } = await sql<Record<Period, number> & { article_id: string; language: string }>`
    select
      article_id, likes.language, count(*) as all_time,
      count(*) filter (where liked_at >= monthly_from) as monthly,
      count(*) filter (where liked_at >= weekly_from) as weekly,
      count(*) filter (where liked_at >= daily_from) as daily
    from likes join articles on articles.id = likes.article_id cross join ranking_windows
    group by article_id, likes.language, articles.created_at
    order by ${sql.ref(period)} desc, articles.created_at desc, article_id, likes.language`.execute(of)
  return rows
}

async function expectCounted(likes: number): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const texts = await truth(trx)
      expect(texts.reduce((sum, text) => sum + text.all_time, 0)).toBe(likes)
      const { rows: counted } = await sql`
        select article_id, language, all_time, monthly, weekly, daily from like_counts
        order by all_time desc, article_created_at desc, article_id, language`.execute(trx)
      expect(counted).toEqual(texts)
      const totals = await trx.selectFrom('ranking_totals').selectAll().orderBy('language').execute()
      const ranked = (language: string, period: Period) =>
        texts.filter((text) => [text.language, 'all'].includes(language) && text[period] > 0).length
      expect(totals).toEqual(
        ['all', 'en', 'ja'].map((language) => ({
          language,
          ...Object.fromEntries(PERIODS.map((period) => [period, ranked(language, period)])),
        })),
      )
    })
}

/** Expects the correct ranking of each period. Retries if a minute ends meanwhile, because the periods move with it. */
async function expectRanked(): Promise<void> {
  await vi.waitFor(async () => {
    for (const period of PERIODS) {
      const { data } = await ranking({ period: period === 'all_time' ? 'all' : period, limit: 100 })
      const best = (await truth(db, period)).filter((text) => text[period] > 0).slice(0, 100)
      expect(data).toMatchObject(
        best.map((text) => ({ articleId: text.article_id, languageCode: text.language, likeCount: text[period] })),
      )
    }
  }, 10_000)
}

test('seeded likes are counted and ranked, differ in number between periods, and have no future dates', async () => {
  expect(first).toMatchObject({ likes: 800, added: 800, users: 100, repositories: 10, articles: 60, texts: 72 })
  await expectCounted(800)
  await expectRanked()
  const texts = await truth(db)
  const sums = PERIODS.map((period) => texts.reduce((sum, text) => sum + text[period], 0))
  expect(sums).toEqual([...new Set(sums)].sort((a, b) => b - a))
  const future = await db.selectFrom('likes').where('liked_at', '>', new Date()).select('id').execute()
  expect(future).toEqual([])
})

test('seeded data fits the contract and needs no code host', async () => {
  const { count } = await host.during(async () => {
    for (const { articleId, language } of first.sample.slice(0, 5)) {
      const { body } = await service.call('getArticleById', { params: { articleId } })
      expect(body.data.contents[language].stale).toBe(false)
      const { owner, repo, prNumber, hostPrUrl } = body.data
      const pull = await service.call('getPullRequest', { params: { owner, repo, number: String(prNumber) } })
      expect(pull.body.data.hostPrUrl).toBe(hostPrUrl)
    }
    // The service indexes the articles in the background.
    const listed = async () => (await service.call('listArticles', {})).body.data.data.length
    await expect.poll(listed, { timeout: 15_000 }).toBeGreaterThan(0)
    const [token] = first.tokens
    expect((await service.call('listLikedArticles', { token })).body.data.pagination.totalItems).toBeGreaterThan(0)
    expect((await service.call('getCurrentUser', { token })).body.data.hostUsername).toBe('seed-user-0')
    expect((await service.call('listFavorites', { token })).body.data.data).toHaveLength(5)
  })
  expect(count).toBe(0)
})

test('seeding works while a service counts new likes of its users, and creates no sessions by default', async () => {
  const reader = await service.signedUp('reader')
  const texts = first.sample.map(({ articleId, language }) => ({ articleId, langCode: language }))
  const [{ tokens }] = await Promise.all([
    fill(db, { ...SIZE, likes: 1200 }),
    ...texts.map((text) => liked(reader, text).then(() => ranking())),
  ])
  expect(tokens).toEqual([])
  await expect.poll(() => db.selectFrom('like_changes').selectAll().execute()).toEqual([])
  const { likes } = await fill(db, { ...SIZE, likes: 1 })
  expect(likes).toBeGreaterThanOrEqual(1200)
  await expectCounted(likes)
  await fill(db, { likes: likes + 100, users: 120, articles: 66 })
  await expectCounted(likes + 100)
  await expectRanked()
})

test('seeding refuses a database with real users by default', async () => {
  await service.signedUp('hanako')
  await expect(requireNoRealUsers(db)).rejects.toThrow('--yes')
})

test.each([
  [{ likes: 1 }, { users: 300, repositories: 25 }],
  [{ likes: 1_000_000 }, { users: 20_000, repositories: 1667 }],
  [{ likes: 100_000_000 }, { users: 2_000_000, repositories: 16_667 }],
  [
    { likes: 100, users: 50, articles: 10 },
    { users: 50, repositories: 2 },
  ],
])('the options %j result in %j', (wanted, size) => {
  expect(sizeFor(wanted)).toEqual(size)
})

test('rejects more likes than the users can give', () => {
  expect(() => sizeFor({ likes: 6000, users: 10 })).toThrow('So few users')
})

test.each([
  [[], '--likes 1000000'],
  [['--likes', '0'], 'from 1 to 1,000,000,000'],
  [['--likes', '-5'], '--likes'],
  [['--likes', '1.5'], 'a whole number'],
  [['--likes', '1000000001'], 'from 1 to 1,000,000,000'],
  [['--likes', '10', '--fast'], '--fast'],
])('rejects the arguments %j with a one-line message', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
  expect(() => readOptions(args)).toThrow(/^[^\n]+$/)
})
