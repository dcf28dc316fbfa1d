import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { holding, startFakeModel } from '../support/fakeModel.ts'
import { favoritesOf } from '../support/favorites.ts'
import { changed, paramsOf, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

// In these tests, a node reads rows written by another node whose clock was far ahead.

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

function privateRepository(name: string) {
  return repositoryOf(service, name, { private: true, members: ['member'], pulls: [{ number: 1 }] })
}

test('ignores a visibility check of a private repository if the check is dated in the future', async () => {
  const vault = privateRepository('ahead/vault')
  await pullsOf(ahead).ingested('ahead/vault#1', token)
  vault.members = []
  expect((await get('ahead/vault#1', token)).status).toBe(404)
  vault.members = ['member']
  await ingest('ahead/vault#1', token)
  expect((await get('ahead/vault#1', token)).status).toBe(200)
})

test('accepts a visibility check dated less than a second in the future', async () => {
  privateRepository('ahead/little')
  ahead.advance(500 - 30 * DAYS)
  await pullsOf(ahead).ingested('ahead/little#1', token)
  ahead.advance(30 * DAYS - 500)
  expect(await host.during(() => get('ahead/little#1', token))).toMatchObject({ count: 0 })
})

test('repeats a denied visibility check dated in the future and replaces its result', async () => {
  repositoryOf(service, 'ahead/barred', {})
  await favoritesOf(service).favorite(token, 'ahead/barred')
  host.fail({ path: /repositories\/\d+$/, times: 100, act: faults.status(403) })
  expect(await favoritesOf(ahead).names(token)).not.toContain('ahead/barred')
  host.heal()
  await expect.poll(() => favoritesOf(service).names(token)).toContain('ahead/barred')
})

test('repeats a public visibility check dated in the future and hides a repository that became private', async () => {
  const repository = repositoryOf(service, 'ahead/open', { pulls: [{ number: 1 }] })
  await pullsOf(ahead).ingested('ahead/open#1', token)
  ahead.advance(6 * MINUTES)
  // This read also stores a visibility check by the service itself.
  await pullsOf(ahead).get('ahead/open#1')
  repository.private = true
  expect((await get('ahead/open#1')).status).toBe(404)
})

test('prefers a denial by the code host over a visibility check dated in the future', async () => {
  const { id } = repositoryOf(service, 'ahead/denied', { pulls: [{ number: 1 }] })
  await favoritesOf(ahead).favorite(token, 'ahead/denied')
  host.fail({ path: new RegExp(`repositories/${id}$`), times: 100, act: faults.status(403) })
  expect(await favoritesOf(service).names(token)).not.toContain('ahead/denied')
})

test('reads a list again if its timestamp is in the future', async () => {
  const pulls: FakePull[] = [{ number: 1, state: 'open' }]
  repositoryOf(service, 'ahead/list', { pulls })
  const params = { owner: 'ahead', repo: 'list' }
  await ahead.call('listPullRequests', { token, params })
  pulls.push({ number: 2, state: 'open' })
  const { body } = await service.call('listPullRequests', { token, params })
  expect(body.data.data.map(({ prNumber }: { prNumber: number }) => prNumber).sort()).toEqual([1, 2])
})

test('asks for the head commit again if its timestamp is in the future', async () => {
  const pull: FakePull = { number: 1, head: 'a'.repeat(40), files: [changed('a.ts')] }
  repositoryOf(service, 'ahead/head', { pulls: [pull] })
  await articlesOf(ahead).generated('ahead/head#1', token)
  Object.assign(pull, { head: 'b'.repeat(40), updatedAt: '2026-06-01T00:00:00Z' })
  const article = await articlesOf(service).generated('ahead/head#1', token)
  expect(article.contents.ja.headSha).toBe('b'.repeat(40))
})

test('allows another forced regeneration if the last one is dated in the future', async () => {
  const place = aPull(service)
  await articlesOf(ahead).generated(place, token)
  await articlesOf(ahead).generated(place, token, { force: true })
  expect((await articlesOf(service).generate(place, token, { force: true })).status).toBe(200)
})

test('gives up a job whose last heartbeat is dated in the future', async () => {
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

test('ignores a lease that ends far in the future', async () => {
  const place = aPull(service)
  const { id } = host.repositories.at(-1) ?? {}
  const lease = { name: `ingest ${id} 1`, holder: crypto.randomUUID(), until: later(30 * DAYS) }
  await service.ctx.db.insertInto('leases').values(lease).execute()
  expect((await service.call('ingestPullRequest', { token, params: paramsOf(place) })).status).toBe(200)
})

test('verifies a session immediately if its next check is far in the future', async () => {
  const revoked = await ahead.signedUp('revoked')
  host.revoke(revoked)
  expect((await service.call('listLikedArticles', { token: revoked })).status).toBe(401)
  const other = await ahead.signedUp('other')
  host.revoke(other)
  expect((await service.call('getCurrentUser', { token: other })).status).toBe(401)
})

test('ignores a session verification dated in the future while the code host is down', async () => {
  const verified = await ahead.signedUp('verified')
  host.fail({ path: /^\/user$/, times: 9, act: faults.status(503) })
  expect((await service.call('getCurrentUser', { token: verified })).status).toBe(502)
})

test('ignores a stored rate limit of a token if the limit ends far in the future', async () => {
  repositoryOf(service, 'ahead/resting', {})
  const resting = await service.signedUp('resting')
  const body = { owner: 'ahead', repo: 'resting' }
  host.fail({ path: /resting/, act: faults.status(429, { 'retry-after': '90' }) })
  expect((await ahead.call('registerFavorite', { token: resting, body })).status).toBe(429)
  expect((await service.call('registerFavorite', { token: resting, body })).status).toBe(201)
})
