import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { openBrowser } from '../support/browser.ts'
import { listens } from '../support/listens.ts'
import { startService } from '../support/service.ts'

const LIMITS = { RATE_LIMITS: 'on', RATE_LIMIT_READS: '3', RATE_LIMIT_WRITES: '2' }
const service = await startService({
  env: { ...LIMITS, RATE_LIMIT_HOST: '2', RATE_LIMIT_GENERATION: '1', TRUSTED_PROXIES: '127.0.0.1' },
})
afterAll(() => service.close())

const redisIsThere = await listens('127.0.0.1', 6379)
if (!redisIsThere) console.log('No Redis at 127.0.0.1:6379: shared limits are not tried.')

const read = (token: string) => service.call('getCurrentUser', { token })
const from = (address: string, path: string) =>
  fetch(`${service.url}${path}`, { headers: { 'x-forwarded-for': address } })

test('a user may do so much in a minute, by whatever tokens, and is told how much is left', async () => {
  const [token, other] = [await service.signedUp('reader'), service.host.token('reader')]
  // Whose a token is shows with its first request.
  for (const one of [token, other]) expect((await read(one)).headers.get('ratelimit-limit')).toBe('15')
  const first = await read(token)
  expect(first.headers.get('ratelimit-limit')).toBe('3')
  expect(first.headers.get('ratelimit-remaining')).toBe('2')
  expect(Number(first.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
  for (let i = 0; i < 2; i++) expect((await read(other)).status).toBe(200)
  const refused = await read(other)
  expect(refused.status).toBe(429)
  expect(refused.body.error.code).toBe('RATE_LIMITED')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  expect((await read(token)).status).toBe(429)

  expect((await read(await service.signedUp('another'))).status).toBe(200)
  const change = () => service.call('updateCurrentUser', { token, body: { language: 'en' } })
  expect([(await change()).status, (await change()).status, (await change()).status]).toEqual([200, 200, 429])
})

test('what asks the code host, and what has articles written, is counted apart', async () => {
  const token = await service.signedUp('author')
  const pull = aPull(service)
  const { generate } = articlesOf(service)
  await read(token)
  expect([(await generate(pull, token)).status, (await generate(pull, token)).status]).toEqual([200, 429])
  const params = { owner: 'acme', repo: /paper-\d+/.exec(pull)?.[0] ?? '', number: '1' }
  const ingest = () => service.call('ingestPullRequest', { token, params })
  const anew = () => service.call('getPullRequest', { token, params, query: { refresh: 'true' } })
  expect([(await ingest()).status, (await anew()).status, (await anew()).status]).toEqual([200, 200, 429])
  expect((await service.call('getPullRequest', { token, params })).status).toBe(200)
})

test('what one user is refused is not taken from others at the same address', async () => {
  const address = '198.51.100.7'
  const ask = (token: string) =>
    fetch(`${service.url}/users/me`, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address } })
  const [greedy, other] = [await service.signedUp('greedy'), await service.signedUp('colleague')]
  for (const token of [greedy, other]) expect((await ask(token)).status).toBe(200)
  // More than the address may ask for in all.
  const statuses = await Promise.all(Array.from({ length: 160 }, async () => (await ask(greedy)).status))
  expect(statuses.filter((status) => status === 200).length).toBe(3)
  expect((await ask(other)).status).toBe(200)
})

test('a token that was logged out takes nothing from whom it was', async () => {
  const [token, leaked] = [await service.signedUp('careful'), service.host.token('careful')]
  for (const one of [token, leaked]) await read(one)
  expect((await service.call('logOut', { token: leaked })).status).toBe(200)
  expect((await read(leaked)).status).toBe(401)
  for (let i = 0; i < 5; i++) expect((await read(leaked)).status).toBe(401)
  for (let i = 0; i < 2; i++) expect((await read(token)).status).toBe(200)
})

test('an address is one by whatever port, and a page costs the same however its address is written', async () => {
  const statuses = []
  for (let i = 0; i < 16; i++) statuses.push((await from(`192.0.2.3:${5000 + i}`, '/read')).status)
  expect(statuses).toEqual([...Array(15).fill(200), 429])
  const paths = ['/read/me', '/read/m%65', '/sign-in/d%6Fne']
  for (let i = 0; i < 10; i++) expect((await from('192.0.2.4', paths[i % 3] ?? '')).status, `${i}`).not.toBe(429)
  for (const path of paths) expect((await from('192.0.2.4', path)).status, path).toBe(429)
  for (let i = 0; i < 15; i++) expect((await from('192.0.2.5', '/read/nowhere')).status).toBe(404)
  expect((await from('192.0.2.5', '/read/nowhere')).status).toBe(429)
})

test('an address may ask for five times as much without a token, on pages and feeds too', async () => {
  const paths = ['/ranking/articles/likes', '/read', '/feeds/ranking.atom', '/sitemap.xml', '/read']
  for (let i = 0; i < 15; i++) expect((await from('192.0.2.1', paths[i % 5] ?? '')).status).toBe(200)
  for (const path of paths) {
    const refused = await from('192.0.2.1', path)
    expect(refused.status, path).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await from('192.0.2.2', '/read')).status).toBe(200)
  for (let i = 0; i < 20; i++) expect((await from('192.0.2.1', '/healthz')).status).toBe(200)
})

test('a browser is counted like any other', async () => {
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('browsing') })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await browser.visit('/read')).status)
  expect(statuses).toContain(429)
})

test('while Redis is away, each node counts by itself', async () => {
  const alone = await startService({ env: { ...LIMITS, REDIS_URL: 'redis://127.0.0.1:1' } })
  const token = await alone.signedUp('reader')
  await alone.call('listSessions', { token })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await alone.call('listSessions', { token })).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  await alone.close()
})

test('a Redis that says nothing is not waited for', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const REDIS_URL = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const alone = await startService({ env: { ...LIMITS, REDIS_URL } })
  const token = await alone.signedUp('patient')
  await alone.call('listSessions', { token })
  const started = performance.now()
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await alone.call('listSessions', { token })).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  expect(performance.now() - started).toBeLessThan(5000)
  await alone.close()
  silent.close()
})

test.runIf(redisIsThere)('by Redis, all nodes count together', async () => {
  const env = { ...LIMITS, REDIS_URL: 'redis://127.0.0.1:6379' }
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
