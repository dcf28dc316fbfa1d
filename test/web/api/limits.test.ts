import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { parseList } from 'structured-headers'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { violations } from '../../support/contract.ts'
import { startService } from '../../support/service.ts'

const LIMITS = { RATE_LIMITS: 'on', RATE_LIMIT_READS: '3', RATE_LIMIT_WRITES: '2' }
const service = await startService({
  env: { ...LIMITS, RATE_LIMIT_HOST: '2', RATE_LIMIT_GENERATION: '1', TRUSTED_PROXIES: '127.0.0.1', CORS_ORIGINS: '*' },
})
afterAll(() => service.close())

const read = (token: string) => service.call('getCurrentUser', { token })
const getFrom = (address: string, path: string) =>
  fetch(`${service.url}${path}`, { headers: { 'x-forwarded-for': address } })

test('keeps the request id of a trusted proxy in the response and in the log', async () => {
  const { headers, body } = await service.send('GET', '/nowhere', { headers: { 'x-request-id': 'edge-17' } })
  expect([headers.get('x-request-id'), body.error.requestId]).toEqual(['edge-17', 'edge-17'])
  await expect.poll(() => service.logged.join('')).toContain('"reqId":"edge-17"')
})

test('limits the requests of a user per minute across all tokens, and reports how many remain', async () => {
  const [token, other] = [await service.signedUp('reader'), service.host.token('reader')]
  // Until the first response identifies its user, requests with a token count against their IP address.
  for (const each of [token, other]) expect((await read(each)).headers.get('ratelimit-limit')).toBe('15')
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

test('counts requests with an API token against its account, also those that its scope does not allow', async () => {
  const owner = await service.signedUp('automated')
  const { token } = await service.apiToken(owner, ['read'])
  const change = () => service.call('updateCurrentUser', { token, body: { language: 'en' } })
  expect((await change()).headers.get('ratelimit-limit')).toBe('10')
  const refused = await change()
  expect([refused.status, refused.headers.get('ratelimit-limit'), refused.headers.get('ratelimit-remaining')]).toEqual([
    ...[403, '2', '1'],
  ])
  expect([(await change()).status, (await change()).status]).toEqual([403, 429])
  expect((await service.call('updateCurrentUser', { token: owner, body: { language: 'en' } })).status).toBe(429)
})

test('describes each rate limit in the structured headers RateLimit-Policy and RateLimit', async () => {
  const token = await service.signedUp('structured')
  const fields = ({ headers }: { headers: Headers }) => {
    const field = (name: string, declared: string) => {
      const text = headers.get(name)
      if (text !== null) expect(violations(`#/components/headers/${declared}/schema`, text)).toEqual([])
      return parseList(text ?? '').map(([kind, parameters]) => [kind, Object.fromEntries(parameters)])
    }
    return [...field('RateLimit-Policy', 'RateLimitPolicy'), ...field('RateLimit', 'RateLimit')]
  }
  const seconds = expect.toSatisfy((t: number) => Number.isInteger(t) && t >= 1 && t <= 60)
  const described = (kind: string, q: number, r: number) => [
    [kind, { q, w: 60 }],
    [kind, { r, t: seconds }],
  ]
  expect(fields(await read(token))).toEqual(described('reads', 15, expect.any(Number)))
  for (const left of [2, 1, 0, 0]) {
    const answer = await read(token)
    expect(fields(answer)).toEqual(described('reads', 3, left))
    expect(answer.headers.get('ratelimit-remaining')).toBe(String(left))
  }
  const changed = await service.call('updateCurrentUser', { token, body: { language: 'en' } })
  expect(fields(changed)).toEqual(described('writes', 2, 1))
  const search = await service.call('listArticles', { token, query: { q: 'cache' } })
  expect(fields(search)[0]?.[0]).toBe('search')
  expect(fields(await getFrom('192.0.2.9', '/feeds/articles.atom'))).toEqual(described('reads', 15, 14))
  expect(fields(await getFrom('192.0.2.9', '/healthz'))).toEqual([])
  const exposed = changed.headers.get('access-control-expose-headers')?.split(', ')
  expect(exposed).toEqual(expect.arrayContaining(['RateLimit-Policy', 'RateLimit']))
})

test('limits host calls and article generation separately', async () => {
  const token = await service.signedUp('author')
  const pull = aPull(service)
  const { generate } = articlesOf(service)
  await read(token)
  expect([(await generate(pull, token)).status, (await generate(pull, token)).status]).toEqual([200, 429])
  const params = { owner: 'acme', repo: /paper-\d+/.exec(pull)?.[0] ?? '', number: '1' }
  const ingest = () => service.call('ingestPullRequest', { token, params })
  const refresh = () => service.call('getPullRequest', { token, params, query: { refresh: 'true' } })
  expect([(await ingest()).status, (await refresh()).status, (await refresh()).status]).toEqual([200, 200, 429])
  expect((await service.call('getPullRequest', { token, params })).status).toBe(200)
})

test('rejected requests of one user do not count against others at the same IP address', async () => {
  const address = '198.51.100.7'
  const ask = (token: string) =>
    fetch(`${service.url}/users/me`, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address } })
  const [greedy, other] = [await service.signedUp('greedy'), await service.signedUp('colleague')]
  for (const token of [greedy, other]) expect((await ask(token)).status).toBe(200)
  // Sends more requests than the limit of the IP address allows.
  const statuses = await Promise.all(Array.from({ length: 160 }, async () => (await ask(greedy)).status))
  expect(statuses.filter((status) => status === 200).length).toBe(3)
  expect((await ask(other)).status).toBe(200)
})

test('requests with a logged-out token do not count against its user', async () => {
  const [token, leaked] = [await service.signedUp('careful'), service.host.token('careful')]
  for (const each of [token, leaked]) await read(each)
  expect((await service.call('logOut', { token: leaked })).status).toBe(200)
  expect((await read(leaked)).status).toBe(401)
  for (let i = 0; i < 5; i++) expect((await read(leaked)).status).toBe(401)
  for (let i = 0; i < 2; i++) expect((await read(token)).status).toBe(200)
})

test('when counting requests, ignores the port of the client and the spelling of the path', async () => {
  const statuses = []
  for (let i = 0; i < 16; i++) statuses.push((await getFrom(`192.0.2.3:${5000 + i}`, '/read')).status)
  expect(statuses).toEqual([...Array(15).fill(200), 429])
  const paths = ['/read/me', '/read/m%65', '/sign-in/d%6Fne']
  for (let i = 0; i < 10; i++) expect((await getFrom('192.0.2.4', paths[i % 3] ?? '')).status, `${i}`).not.toBe(429)
  for (const path of paths) expect((await getFrom('192.0.2.4', path)).status, path).toBe(429)
  for (let i = 0; i < 15; i++) expect((await getFrom('192.0.2.5', '/read/nowhere')).status).toBe(404)
  expect((await getFrom('192.0.2.5', '/read/nowhere')).status).toBe(429)
})

test('allows an IP address five times as many anonymous requests as a user, also for pages and feeds', async () => {
  const paths = ['/ranking/articles/likes', '/read', '/feeds/ranking.atom', '/sitemap.xml', '/read']
  for (let i = 0; i < 15; i++) expect((await getFrom('192.0.2.1', paths[i % 5] ?? '')).status).toBe(200)
  for (const path of paths) {
    const refused = await getFrom('192.0.2.1', path)
    expect(refused.status, path).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await getFrom('192.0.2.2', '/read')).status).toBe(200)
  for (let i = 0; i < 20; i++) expect((await getFrom('192.0.2.1', '/healthz')).status).toBe(200)
})

test('counts feeds of searches as searches, and error pages as reads', async () => {
  const limitOf = async (path: string, accept = '*/*') =>
    (await fetch(`${service.url}${path}`, { headers: { accept, 'x-forwarded-for': '192.0.2.6' } })).headers.get(
      'ratelimit-limit',
    )
  const ofSearch = await limitOf('/articles?q=a')
  expect(ofSearch).not.toBe('15')
  for (const path of ['/feeds/search.atom?q=a', '/feeds/search.atom?unknown=1'])
    expect(await limitOf(path)).toBe(ofSearch)
  expect(await limitOf('/feeds/articles.atom')).toBe('15')
  expect(await limitOf('/nothing')).toBeNull()
  for (let i = 0; i < 14; i++) expect(await limitOf('/nothing', 'text/html')).toBe('15')
  const headers = { accept: 'text/html', 'accept-language': 'en', 'x-forwarded-for': '192.0.2.6' }
  for (const path of ['/nothing', '/feeds/articles.atom']) {
    const refused = await fetch(`${service.url}${path}`, { headers })
    expect([path, refused.status]).toEqual([path, 429])
    expect(await refused.text()).toContain('<h1>Too many requests</h1>')
  }
})

test('counts requests of browser sessions like requests with tokens', async () => {
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('browsing') })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await browser.visit('/read')).status)
  expect(statuses).toContain(429)
})

test('each node counts requests on its own while Redis is unreachable', async () => {
  const alone = await startService({ env: { ...LIMITS, REDIS_URL: 'redis://127.0.0.1:1' } })
  const token = await alone.signedUp('reader')
  await alone.call('listSessions', { token })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await alone.call('listSessions', { token })).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  await alone.close()
})

test('does not wait for an unresponsive Redis', async () => {
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
