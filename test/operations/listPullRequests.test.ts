import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { articlesOf, setLead } from '../support/articles.ts'
import { insertArticle, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const { ingested } = pullsOf(service)
const { generated } = articlesOf(service)
const token = await service.signedUp('hanako')
const { host } = service

function list(name: string, query: Record<string, string | number> = {}, callerToken = token) {
  const [owner = '', repo = ''] = name.split('/')
  return service.call('listPullRequests', { token: callerToken, params: { owner, repo }, query })
}

const numbers = (body: { data: { data: { prNumber: number }[] } }) => body.data.data.map(({ prNumber }) => prNumber)

function many(count: number, state: 'open' | 'closed' = 'open'): FakePull[] {
  return Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    state,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
  }))
}

test('filters the host’s pull requests by state, newest first, and says which have an article', async () => {
  const pulls: FakePull[] = [
    { number: 1, mergedAt: '2026-01-02T00:00:00Z', title: 'Merged' },
    { number: 2, state: 'open', draft: true, author: null, createdAt: '2026-01-05T00:00:00Z' },
    { number: 3, state: 'open', createdAt: '2026-01-04T00:00:00Z' },
  ]
  const { id } = repositoryOf(service, 'acme/shop', { pulls })
  const { status, body } = await list('ACME/shop')
  expect(status).toBe(200)
  expect(numbers(body)).toEqual([2, 3])
  expect(body.data.data[0]).toMatchObject({ repositoryFullName: 'acme/shop', draft: true, authorLogin: 'ghost' })
  expect(body.data.pagination).toEqual({ totalItems: null, limit: 10, offset: 0, hasMore: false, nextCursor: null })
  await ingested('acme/shop#1', token)
  await insertArticle(service, id, 1)
  const closed = await list('acme/shop', { state: 'closed' })
  expect(closed.body.data.data).toMatchObject([{ prNumber: 1, title: 'Merged', merged: true, articleExists: true }])
  const all = await list('acme/shop', { state: 'all' })
  expect(all.body.data.data.map((item: { articleExists: boolean }) => item.articleExists)).toEqual([false, false, true])
})

/** Creates two pull requests and an article about the first one, in Japanese and English. Returns the article. */
async function withArticle(name: string): Promise<{ id: string }> {
  const files = [{ filename: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b' }]
  repositoryOf(service, name, { pulls: many(2).map((pull) => ({ ...pull, files })) })
  await generated(`${name}#1`, token, { language: 'en' })
  return generated(`${name}#1`, token, { language: 'ja' })
}

const leads = async (name: string) =>
  (await list(name)).body.data.data.map((item: { lead: string | null }) => item.lead)

test('returns the lead of each article', async () => {
  const { id } = await withArticle('acme/lead')
  const lead = '合計が正しくなりました。'
  await setLead(service, id, 'ja', lead)
  const { body } = await list('Acme/Lead')
  expect(body.data.data).toMatchObject([
    { articleExists: false, articleId: null, lead: null, leadLanguage: null },
    { articleExists: true, articleId: id, lead, leadLanguage: 'ja' },
  ])
})

test('hides the lead of a text that was written while the repository was private', async () => {
  const { id } = await withArticle('acme/opened')
  await setLead(service, id, 'ja', '秘密の計画です。')
  await setLead(service, id, 'en', 'Totals are correct now.')
  await service.ctx.db
    .updateTable('article_texts')
    .set({ private: true })
    .where('article_id', '=', id)
    .where('language', '=', 'ja')
    .execute()
  const { body } = await list('acme/opened')
  expect(body.data.data[1]).toMatchObject({ articleExists: true, lead: 'Totals are correct now.', leadLanguage: 'en' })
})

test('if two repositories have the same name, returns the leads of the one verified last', async () => {
  const [former, current] = [await withArticle('acme/former'), await withArticle('acme/current')]
  await setLead(service, former.id, 'ja', '以前のリポジトリです。')
  await setLead(service, current.id, 'ja', '今のリポジトリです。')
  const { db } = service.ctx
  const renamed = { name: 'current', verified_at: new Date(service.ctx.now().getTime() - 60_000) }
  await db.updateTable('repositories').set(renamed).where('name', '=', 'former').execute()
  expect(await leads('acme/current')).toEqual([null, '今のリポジトリです。'])
})

test('paginates without gaps up to 300 pull requests', async () => {
  repositoryOf(service, 'acme/busy', { pulls: many(320) })
  const seen: number[] = []
  for (let offset = 0; offset < 300; offset += 70) {
    const limit = Math.min(70, 300 - offset)
    const { body } = await list('acme/busy', { limit, offset })
    seen.push(...numbers(body))
    expect(body.data.pagination.hasMore).toBe(offset + limit < 300)
  }
  expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => 320 - i))
  expect((await list('acme/busy', { limit: 2, offset: 299 })).body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: '/offset' }] },
  })
})

test('returns an empty page for an empty repository and for an offset past the end', async () => {
  repositoryOf(service, 'acme/empty')
  repositoryOf(service, 'acme/exact', { pulls: many(100) })
  expect((await list('acme/empty')).body.data).toMatchObject({ data: [], pagination: { hasMore: false } })
  expect((await list('acme/exact', { offset: 90 })).body.data.pagination.hasMore).toBe(false)
  expect((await list('acme/exact', { offset: 150 })).body.data).toMatchObject({ data: [] })
})

test('calls the host once a minute, with conditional requests', async () => {
  const repository = repositoryOf(service, 'acme/calm', { pulls: many(3) })
  expect(await host.during(() => list('acme/calm'))).toMatchObject({ count: 2 })
  expect(await host.during(() => list('acme/calm'))).toMatchObject({ count: 0 })
  const other = await service.signedUp('jiro')
  expect(await host.during(() => list('acme/calm', {}, other))).toMatchObject({ count: 0 })
  service.advance(61_000)
  expect(await host.during(() => list('acme/calm'))).toMatchObject({ count: 1, free: 1 })
  service.advance(61_000)
  repository.pulls?.push({ number: 4, state: 'open', createdAt: '2026-06-01T00:00:00Z' })
  expect(numbers((await list('acme/calm')).body)).toEqual([4, 3, 2, 1])
})

test('does not combine pages that were read at different times', async () => {
  const pulls = many(150)
  repositoryOf(service, 'acme/moving', { pulls })
  await list('acme/moving', { limit: 10 })
  pulls.push(...many(152).slice(150))
  const dup = numbers((await list('acme/moving', { limit: 100, offset: 50 })).body)
  expect(new Set(dup).size).toBe(dup.length)
  service.advance(50_000)
  await list('acme/moving', { limit: 10, offset: 120 })
  service.advance(20_000)
  pulls.push(...many(154).slice(152))
  const seen = numbers((await list('acme/moving', { limit: 100, offset: 50 })).body)
  expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => 104 - i))
})

test('shows the list of a private repository only to members', async () => {
  const vault = repositoryOf(service, 'acme/vault', { private: true, members: ['hanako'], pulls: many(1) })
  expect((await list('acme/vault')).status).toBe(200)
  const other = await service.signedUp('stranger')
  expect((await list('acme/vault', {}, other)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
  vault.members = []
  service.advance(61_000)
  expect((await list('acme/vault')).body.error.code).toBe('HOST_REPO_NOT_FOUND')
})

test('follows a renamed repository', async () => {
  const repository = repositoryOf(service, 'acme/called', { pulls: many(1) })
  expect((await list('acme/called')).status).toBe(200)
  repository.name = 'named'
  host.moved('acme/called', repository.id)
  service.advance(61_000)
  await list('acme/called')
  expect((await list('acme/called')).body.data.data[0].repositoryFullName).toBe('acme/named')
  expect((await list('acme/named')).status).toBe(200)
})

test('returns 502 when the host fails, unless the list is cached', async () => {
  repositoryOf(service, 'acme/down', { pulls: many(1) })
  host.fail({ path: /pulls$/, times: 9, act: faults.status(500) })
  expect((await list('acme/down')).body.error.code).toBe('HOST_UNAVAILABLE')
  host.heal()
  const before = (await list('acme/down')).body.data
  service.advance(61_000)
  host.fail({ path: /pulls$/, times: 9, act: faults.status(500) })
  expect((await list('acme/down')).body.data).toEqual(before)
})
