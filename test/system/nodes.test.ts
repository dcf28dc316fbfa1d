import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { startFakeIssuer } from '../support/fakeIssuer.ts'
import { holding, startFakeModel } from '../support/fakeModel.ts'
import { listens } from '../support/listens.ts'
import { startService } from '../support/service.ts'

const hasRedis = await listens('127.0.0.1', 6379)
if (!hasRedis) console.log('Skipping the shared rate limit test: no Redis at 127.0.0.1:6379.')

const service = await startService()
const { host, database } = service
const otherNode = await startService({ beside: { host, database } })
afterAll(async () => {
  await otherNode.close()
  await service.close()
})

test('rejects a token on every node after a logout on one node', async () => {
  const token = await service.signedUp('roamer')
  expect((await otherNode.call('getCurrentUser', { token })).status).toBe(200)
  await service.call('logOut', { token })
  expect((await otherNode.call('getCurrentUser', { token })).status).toBe(401)
})

test('a request that waits for an article gets 401 when its session logs out on another node', async () => {
  const model = await startFakeModel()
  const { env } = model
  const waitingNode = await startService({ env })
  const otherNode = await startService({ env, beside: waitingNode })
  const token = await otherNode.signedUp('waiter')
  const { held, release } = holding()
  model.next(held)
  const headers = { prefer: 'wait=30' }
  const waiting = articlesOf(waitingNode).generate(aPull(waitingNode), token, undefined, headers)
  await expect.poll(() => model.requests.length).toBe(1)
  const loggedOutAt = performance.now()
  await otherNode.call('logOut', { token })
  const { status, body } = await waiting
  expect([status, body.error?.code]).toEqual([401, 'UNAUTHENTICATED'])
  expect(performance.now() - loggedOutAt).toBeLessThan(5000)
  release()
  await otherNode.close()
  await waitingNode.close()
  await model.close()
})

test('creates one account and one favorite from concurrent requests on two nodes', async () => {
  host.repository({ id: 1, owner: 'acme', name: 'shop' })
  const token = host.token('everywhere')
  const both = [service, otherNode]
  const signUps = await Promise.all(Array.from({ length: 40 }, (_, i) => both[i % 2]?.call('signUp', { token })))
  expect(signUps.filter((answer) => answer?.status === 201)).toHaveLength(1)
  expect(signUps.filter((answer) => answer?.status === 409)).toHaveLength(39)
  const body = { owner: 'acme', repo: 'shop' }
  const favorites = await Promise.all(
    Array.from({ length: 40 }, (_, i) => both[i % 2]?.call('registerFavorite', { token, body })),
  )
  expect(favorites.filter((answer) => answer?.status === 201)).toHaveLength(1)
  expect(new Set(favorites.map((answer) => answer?.body.data.id)).size).toBe(1)
})

test('all nodes respect the rate limit that the host set for a token', async () => {
  host.repository({ id: 2, owner: 'acme', name: 'limited' })
  const token = await service.signedUp('limited')
  const body = { owner: 'acme', repo: 'limited' }
  host.fail({ path: /limited/, act: faults.status(429, { 'retry-after': '90' }) })
  expect((await service.call('registerFavorite', { token, body })).status).toBe(429)
  const calls = await host.during(async () => {
    const { status, headers } = await otherNode.call('registerFavorite', { token, body })
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(85)
  })
  expect(calls.count).toBe(0)
  otherNode.advance(91_000)
  expect((await otherNode.call('registerFavorite', { token, body })).status).toBe(201)
})

test('all nodes respect the rate limit that the host set for a saved token', async () => {
  const issuer = await startFakeIssuer()
  const jwtNode = await startService({ issuer })
  const jwtOther = await startService({ issuer, beside: jwtNode })
  const token = await issuer.token({ sub: 'saver' })
  await jwtNode.call('signUp', { token, body: { hostAccessToken: jwtNode.host.token('saver') } })
  jwtNode.host.repository({ id: 3, owner: 'acme', name: 'saved' })
  const body = { owner: 'acme', repo: 'saved' }
  jwtNode.host.fail({ path: /saved/, act: faults.status(429, { 'retry-after': '90' }) })
  expect((await jwtNode.call('registerFavorite', { token, body })).status).toBe(429)
  const calls = await jwtNode.host.during(async () =>
    expect((await jwtOther.call('registerFavorite', { token, body })).status).toBe(429),
  )
  expect(calls.count).toBe(0)
  await jwtOther.close()
  await jwtNode.close()
  await issuer.close()
})

test('keeps working when a newer node adds columns', async () => {
  for (let i = 0; i < 3; i++) await service.signedUp(`before-${i}`)
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%'`.execute(service.ctx.db)
  for (const { name } of rows)
    await sql`alter table ${sql.table(name)} add column of_tomorrow text`.execute(service.ctx.db)
  const token = await service.signedUp('after')
  host.repository({ id: 9, owner: 'acme', name: 'tomorrow', pulls: [{ number: 1 }] })
  const params = { owner: 'acme', repo: 'tomorrow', number: '1' }
  const body = { owner: 'acme', repo: 'tomorrow' }
  const answers = [
    await service.call('updateCurrentUser', { token, body: { language: 'en' } }),
    await service.call('registerFavorite', { token, body }),
    await service.call('ingestPullRequest', { token, params }),
    await service.call('getFeed', { token }),
  ]
  for (const { status } of answers) expect(status).toBeLessThan(300)
})

test.runIf(hasRedis)('with Redis, all nodes count requests towards the same rate limit', async () => {
  const env = { RATE_LIMITS: 'on', RATE_LIMIT_READS: '3', REDIS_URL: 'redis://127.0.0.1:6379' }
  const one = await startService({ env })
  const other = await startService({ env, beside: one })
  const token = await one.signedUp('sharing')
  const nodes = [one, other]
  for (const node of nodes) await node.call('listSessions', { token })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await nodes[i % 2]?.call('listSessions', { token }))?.status)
  expect(statuses).toEqual([200, 200, 200, 429])
  await other.close()
  await one.close()
})

test('a text by the model replaces an outline, but an outline does not replace a text by the model', async () => {
  const model = await startFakeModel()
  const withModel = await startService({ env: model.env, beside: service })
  const token = await service.signedUp('outliner')
  const place = aPull(service)
  const outlined = await articlesOf(service).generated(place, token)
  const written = await articlesOf(withModel).generated(place, token)
  expect([outlined, written].map(({ contents }) => contents.ja.generator.kind)).toEqual(['outline', 'model'])
  expect(written.id).toBe(outlined.id)
  for (const body of [undefined, { force: true }])
    expect((await articlesOf(service).generated(place, token, body)).contents.ja.generator.kind).toBe('model')
  await withModel.close()
  await model.close()
})
