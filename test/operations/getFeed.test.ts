import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { type Fault, faults } from '../../scripts/fakeHost/faults.ts'
import { articlesOf, setLead } from '../support/articles.ts'
import { favoritesOf } from '../support/favorites.ts'
import { insertArticle, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const { favorite } = favoritesOf(service)
const { ingested } = pullsOf(service)
const { generated } = articlesOf(service)
const { host } = service

const feed = (token: string, query: Record<string, number> = {}) => service.call('getFeed', { token, query })

function titles(body: { data: { data: { repositoryFullName: string; prNumber: number }[] } }): string[] {
  return body.data.data.map((item) => `${item.repositoryFullName}#${item.prNumber}`)
}

const files = [{ filename: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b' }]

function opened(number: number, minute: number): FakePull {
  return { number, createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() }
}

async function reader(login: string, ...names: string[]): Promise<string> {
  const token = await service.signedUp(login)
  for (const name of names) await favorite(token, name)
  return token
}

test('returns a separate list of new articles until the favorite is marked as seen', async () => {
  repositoryOf(service, 'a/news', { pulls: [1, 2].map((number) => ({ ...opened(number, number), files })) })
  const token = await reader('subscriber', 'a/news')
  const other = await service.signedUp('reporter')
  for (const number of [1, 2]) {
    service.advance(1)
    await generated(`a/news#${number}`, other)
  }
  const first = await feed(token)
  expect(first.body.data.newArticles.map(({ prNumber }: { prNumber: number }) => prNumber)).toEqual([2, 1])
  expect((await feed(token, { offset: 1 })).body.data.newArticles).toEqual([])
  service.advance(1)
  await service.call('markFavoriteSeen', { token, params: { owner: 'a', repo: 'news' } })
  expect((await feed(token)).body.data).toMatchObject({ newArticles: [], data: [{ prNumber: 2 }, { prNumber: 1 }] })
})

test('lists the pull requests of all favorites together, newest first, and says which have an article', async () => {
  const one = repositoryOf(service, 'a/one', { pulls: [opened(1, 10), opened(2, 30)] })
  repositoryOf(service, 'a/two', { pulls: [opened(7, 20), opened(8, 40)] })
  repositoryOf(service, 'a/none')
  const token = await reader('hanako', 'a/one', 'a/two', 'a/none')
  await ingested('a/one#2', token)
  await insertArticle(service, one.id, 2)
  const { status, body } = await feed(token)
  expect(status).toBe(200)
  expect(titles(body)).toEqual(['a/two#8', 'a/one#2', 'a/two#7', 'a/one#1'])
  expect(body.data.data.map((item: { articleExists: boolean }) => item.articleExists)).toEqual([
    false,
    true,
    false,
    false,
  ])
  expect(body.data).toMatchObject({ pagination: { totalItems: null, hasMore: false }, unavailable: [] })
})

test('returns the lead of each article in the user’s language, or in another one if there is none', async () => {
  repositoryOf(service, 'n/news', { pulls: [1, 2, 3].map((number) => ({ ...opened(number, number), files })) })
  const token = await reader('newsreader', 'n/news')
  const [both, one] = [
    await generated('n/news#1', token, { language: 'en' }),
    await generated('n/news#2', token, { language: 'en' }),
  ]
  await generated('n/news#1', token, { language: 'ja' })
  await setLead(service, both.id, 'ja', '合計が正しくなりました。')
  await setLead(service, both.id, 'en', 'Totals are correct now.')
  await setLead(service, one.id, 'en', 'Counts are correct now.')
  const leads = async (language: string) => {
    await service.call('updateCurrentUser', { token, body: { language } })
    return (await feed(token)).body.data.data.map((item: { lead: string | null }) => item.lead)
  }
  expect(await leads('ja')).toEqual([null, 'Counts are correct now.', '合計が正しくなりました。'])
  expect(await leads('en')).toEqual([null, 'Counts are correct now.', 'Totals are correct now.'])
  expect(await leads('fr')).toEqual([null, 'Counts are correct now.', 'Totals are correct now.'])
})

test('the feed of a user without favorites is empty', async () => {
  expect((await feed(await reader('newcomer'))).body.data).toMatchObject({ data: [], unavailable: [] })
})

test('calls the host at most once a minute for each favorite', async () => {
  for (const name of ['m/a', 'm/b', 'm/c']) repositoryOf(service, name, { pulls: [opened(1, 1)] })
  const token = await reader('thrifty', 'm/a', 'm/b', 'm/c')
  expect(await host.during(() => feed(token))).toMatchObject({ count: 3 })
  expect(await host.during(() => feed(token))).toMatchObject({ count: 0 })
  service.advance(61_000)
  expect(await host.during(() => feed(token))).toMatchObject({ count: 3, free: 3 })
})

test('paginates without gaps, even if the host returns the busiest favorite in several pages', async () => {
  repositoryOf(service, 'p/busy', { pulls: Array.from({ length: 250 }, (_, i) => opened(i + 1, 1000 + i)) })
  repositoryOf(service, 'p/quiet', { pulls: Array.from({ length: 90 }, (_, i) => opened(i + 1, i * 12)) })
  const token = await reader('pager', 'p/busy', 'p/quiet')
  // On a busy machine, the first feed request may stop waiting before the host has returned the lists.
  let attempts = 0
  const first = await host.during(() =>
    expect
      .poll(async () => {
        attempts += 1
        return (await feed(token, { limit: 100 })).body.data.pagination.hasMore
      })
      .toBe(true),
  )
  expect(first.to(/pulls$/)).toBeLessThanOrEqual(3 * attempts)
  const seen: string[] = []
  for (const offset of [0, 100, 200]) seen.push(...titles((await feed(token, { limit: 100, offset })).body))
  expect(seen).toHaveLength(300)
  expect(new Set(seen).size).toBe(300)
  expect(seen[0]).toBe('p/busy#250')
  expect((await feed(token, { limit: 100, offset: 250 })).status).toBe(400)
})

test('lists a failing and a slow favorite as unavailable and returns the others', async () => {
  const names = ['s/good', 's/broken', 's/slow', 's/known']
  const [, broken, slow, known] = names.map((name) => repositoryOf(service, name, { pulls: [opened(1, 1)] }))
  const token = await reader('patient', ...names)
  host.fail(
    { path: new RegExp(`${broken?.id}/pulls`), times: 9, act: faults.status(500) },
    { path: new RegExp(`${slow?.id}/pulls`), times: 9, act: faults.hang },
  )
  const started = performance.now()
  const { status, body } = await feed(token)
  expect(performance.now() - started).toBeLessThan(8000)
  expect(status).toBe(200)
  expect(titles(body).sort()).toEqual(['s/good#1', 's/known#1'])
  expect(body.data.unavailable).toMatchObject([
    { repositoryFullName: 's/slow', code: 'HOST_UNAVAILABLE', shownAsOf: null },
    { repositoryFullName: 's/broken', code: 'HOST_UNAVAILABLE', shownAsOf: null },
  ])
  host.heal()
  service.advance(61_000)
  host.fail({ path: new RegExp(`${known?.id}/pulls`), times: 9, act: faults.reset })
  const later = (await feed(token)).body
  expect(titles(later)).toContain('s/known#1')
  const ofKnown = { repositoryFullName: 's/known', shownAsOf: expect.any(String) }
  expect(later.data.unavailable).toContainEqual(expect.objectContaining(ofKnown))
})

test('calls the host once a minute for a failing favorite, and waits only once for a hanging favorite', async () => {
  const names = ['h/good', 'h/broken', ...Array.from({ length: 22 }, (_, i) => `h/hangs${i}`)]
  const [good, broken, ...hanging] = names.map((name) => repositoryOf(service, name, { pulls: [opened(1, 1)] }))
  const token = await reader('burdened', ...names)
  const hangs = hanging.map(({ id }) => id).join('|')
  host.fail(
    { path: new RegExp(`/${broken?.id}/pulls`), times: 99, act: faults.status(500) },
    { path: new RegExp(`/(${hangs})/pulls`), times: 99, act: faults.hang },
  )
  expect(titles((await feed(token)).body)).toEqual(['h/good#1'])
  const started = performance.now()
  const calls = await host.during(async () => {
    for (let i = 0; i < 3; i++) expect((await feed(token)).body.data.unavailable).toHaveLength(23)
  })
  expect(performance.now() - started).toBeLessThan(6000)
  expect([calls.to(new RegExp(`/${broken?.id}/`)), calls.to(new RegExp(`/${good?.id}/`))]).toEqual([0, 0])
  host.heal()
  // The service aborts hanging host calls one second after the feed has stopped waiting.
  await sleep(1500)
  service.advance(61_000)
  expect((await feed(token)).body.data.unavailable).toEqual([])
})

test('shares host calls between concurrent requests', async () => {
  const { id } = repositoryOf(service, 'c/once', { pulls: [opened(1, 1)] })
  const token = await reader('twice', 'c/once')
  const act: Fault['act'] = (request, response) => void setTimeout(() => host.answer(request, response), 400)
  host.fail({ path: new RegExp(`/${id}/pulls`), times: 1, act })
  const calls = await host.during(async () => {
    for (const { body } of await Promise.all([feed(token), feed(token), feed(token)]))
      expect([titles(body), body.data.unavailable]).toEqual([['c/once#1'], []])
  })
  expect(calls.to(/pulls$/)).toBe(1)
})

test('returns later pages of other favorites while one favorite is slow', async () => {
  repositoryOf(service, 'd/busy', { pulls: Array.from({ length: 150 }, (_, i) => opened(i + 1, i)) })
  const slow = repositoryOf(service, 'd/slow')
  const token = await reader('deep', 'd/busy', 'd/slow')
  host.fail({ path: new RegExp(`${slow.id}/pulls`), times: 9, act: faults.hang })
  // On a busy machine, a feed request may stop waiting before the host returns its second page; the next one has it.
  const read = async () => {
    const { data, unavailable } = (await feed(token, { limit: 20, offset: 100 })).body.data
    return [data.length, unavailable.map((one: { repositoryFullName: string }) => one.repositoryFullName)]
  }
  await expect.poll(read).toEqual([20, ['d/slow']])
})

test('reports a rate limit for each favorite that it affects', async () => {
  const repository = repositoryOf(service, 'l/limited', { pulls: [opened(1, 1)] })
  const token = await reader('limited', 'l/limited')
  await feed(token)
  service.advance(61_000)
  host.fail({ path: new RegExp(`${repository.id}/pulls`), act: faults.status(403, { 'retry-after': '60' }) })
  const { body } = await feed(token)
  expect(titles(body)).toEqual(['l/limited#1'])
  expect(body.data.unavailable).toMatchObject([{ code: 'RATE_LIMITED' }])
})

test('shows private repositories only while the host grants access', async () => {
  const vault = repositoryOf(service, 'v/vault', {
    private: true,
    members: ['member'],
    pulls: [{ ...opened(1, 1), files }],
  })
  const token = await reader('member', 'v/vault')
  const { id } = await generated('v/vault#1', token, { language: 'ja' })
  await setLead(service, id, 'ja', '秘密の計画です。')
  const { body } = await feed(token)
  expect([titles(body), body.data.data[0].lead]).toEqual([['v/vault#1'], '秘密の計画です。'])
  vault.members = []
  service.advance(6 * 60_000)
  expect((await feed(token)).body.data).toMatchObject({ data: [], unavailable: [] })
})
