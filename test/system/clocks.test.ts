import { afterAll, afterEach, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { faults } from '../support/fakeHost.ts'
import { holding, startFakeModel } from '../support/fakeModel.ts'
import type { FakePull } from '../support/fakePulls.ts'
import { favoritesOf } from '../support/favorites.ts'
import { changed, paramsOf, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

/** What a node wrote whose clock was ahead, seen by one whose clock is right. */
const MINUTES = 60_000
const HOURS = 60 * MINUTES
const DAYS = 24 * HOURS
const issued = 'service-token-0123456789abcdef'
const model = await startFakeModel()
const env = { ...model.env, CODE_HOST_TOKEN: issued }
const service = await startService({ env })
const { host } = service
host.admit(issued, 'service')
const ahead = await startService({ env, beside: service })
ahead.advance(30 * DAYS)
afterAll(async () => {
  await ahead.close()
  await service.close()
  await model.close()
})
afterEach(() => host.heal())

const { get, ingest } = pullsOf(service)
const token = await service.signedUp('member')
const later = (milliseconds: number) => new Date(Date.now() + milliseconds)

function inVault(name: string) {
  return repositoryOf(service, name, { private: true, members: ['member'], pulls: [{ number: 1 }] })
}

test('a visibility check dated in the future shows a private repository to no session', async () => {
  const vault = inVault('ahead/vault')
  await pullsOf(ahead).ingested('ahead/vault#1', token)
  vault.members = []
  expect((await get('ahead/vault#1', token)).status).toBe(404)
  vault.members = ['member']
  await ingest('ahead/vault#1', token)
  expect((await get('ahead/vault#1', token)).status).toBe(200)
})

test('one that is ahead by less than a minute counts', async () => {
  inVault('ahead/little')
  ahead.advance(30_000 - 30 * DAYS)
  await pullsOf(ahead).ingested('ahead/little#1', token)
  ahead.advance(30 * DAYS - 30_000)
  expect(await host.during(() => get('ahead/little#1', token))).toMatchObject({ count: 0 })
})

test('a denial dated in the future is asked about again, and a later answer replaces it', async () => {
  repositoryOf(service, 'ahead/barred', {})
  await favoritesOf(service).favorite(token, 'ahead/barred')
  host.fail({ path: /repositories\/\d+$/, times: 100, act: faults.status(403) })
  expect(await favoritesOf(ahead).names(token)).not.toContain('ahead/barred')
  host.heal()
  await expect.poll(() => favoritesOf(service).names(token)).toContain('ahead/barred')
})

test('a public repository proven in the future is asked about again, and hidden once it is private', async () => {
  const repository = repositoryOf(service, 'ahead/open', { pulls: [{ number: 1 }] })
  await pullsOf(ahead).ingested('ahead/open#1', token)
  ahead.advance(6 * MINUTES)
  // Writes when the service itself has last asked, too.
  await pullsOf(ahead).get('ahead/open#1')
  repository.private = true
  expect((await get('ahead/open#1')).status).toBe(404)
})

test('a future proof does not outweigh that the code host denies a session the repository', async () => {
  const { id } = repositoryOf(service, 'ahead/denied', { pulls: [{ number: 1 }] })
  await favoritesOf(ahead).favorite(token, 'ahead/denied')
  host.fail({ path: new RegExp(`repositories/${id}$`), times: 100, act: faults.status(403) })
  expect(await favoritesOf(service).names(token)).not.toContain('ahead/denied')
})

test('a list read in the future is read again', async () => {
  const pulls: FakePull[] = [{ number: 1, state: 'open' }]
  repositoryOf(service, 'ahead/list', { pulls })
  const params = { owner: 'ahead', repo: 'list' }
  await ahead.call('listPullRequests', { token, params })
  pulls.push({ number: 2, state: 'open' })
  const { body } = await service.call('listPullRequests', { token, params })
  expect(body.data.data.map(({ prNumber }: { prNumber: number }) => prNumber).sort()).toEqual([1, 2])
})

test('a head commit asked for in the future is asked for again', async () => {
  const pull: FakePull = { number: 1, head: 'a'.repeat(40), files: [changed('a.ts')] }
  repositoryOf(service, 'ahead/head', { pulls: [pull] })
  await articlesOf(ahead).generated('ahead/head#1', token)
  Object.assign(pull, { head: 'b'.repeat(40), updatedAt: '2026-06-01T00:00:00Z' })
  const article = await articlesOf(service).generated('ahead/head#1', token)
  expect(article.contents.ja.headSha).toBe('b'.repeat(40))
})

test('a text forced in the future may be forced again', async () => {
  const place = aPull(service)
  await articlesOf(ahead).generated(place, token)
  await articlesOf(ahead).generated(place, token, { force: true })
  expect((await articlesOf(service).generate(place, token, { force: true })).status).toBe(200)
})

test('a job last heard of in the future is given up like a silent one', async () => {
  const place = aPull(service)
  const { held, release } = holding()
  model.next(held)
  const start = () => articlesOf(service).generate(place, token, undefined, { prefer: 'respond-async' })
  const before = model.requests.length
  const first = await start()
  await expect.poll(() => model.requests.length).toBe(before + 1)
  await service.ctx.db
    .updateTable('article_jobs')
    .set({ updated_at: later(30 * DAYS) })
    .where('id', '=', first.body.data.id)
    .execute()
  const second = await start()
  expect(second.body.data.id).not.toBe(first.body.data.id)
  release()
})

test('a lease that ends far in the future does not block others', async () => {
  const place = aPull(service)
  const { id } = host.repositories.at(-1) ?? {}
  const lease = { name: `ingest ${id} 1`, holder: crypto.randomUUID(), until: later(30 * DAYS) }
  await service.ctx.db.insertInto('leases').values(lease).execute()
  expect((await service.call('ingestPullRequest', { token, params: paramsOf(place) })).status).toBe(200)
})

test('a session whose next check lies far in the future is checked at once', async () => {
  const withdrawn = await ahead.signedUp('withdrawn')
  host.withdraw(withdrawn)
  expect((await service.call('listLikedArticles', { token: withdrawn })).status).toBe(401)
  const other = await ahead.signedUp('other')
  host.withdraw(other)
  expect((await service.call('getCurrentUser', { token: other })).status).toBe(401)
})

test('that a token was verified in the future does not count while the code host is away', async () => {
  const verified = await ahead.signedUp('verified')
  host.fail({ path: /^\/user$/, times: 9, act: faults.status(503) })
  expect((await service.call('getCurrentUser', { token: verified })).status).toBe(502)
})

test('a token that was told to rest until far in the future is used again', async () => {
  repositoryOf(service, 'ahead/resting', {})
  const resting = await service.signedUp('resting')
  const body = { owner: 'ahead', repo: 'resting' }
  host.fail({ path: /resting/, act: faults.status(429, { 'retry-after': '90' }) })
  expect((await ahead.call('registerFavorite', { token: resting, body })).status).toBe(429)
  expect((await service.call('registerFavorite', { token: resting, body })).status).toBe(201)
})
