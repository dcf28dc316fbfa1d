import { afterAll, describe, expect, test } from 'vitest'
import { aPull } from '../../support/articles.ts'
import { connectClient, expectError, post, toolCall, toolResult, VERSIONS } from '../../support/mcp.ts'
import { startService } from '../../support/service.ts'

const service = await startService({
  env: {
    ...{ RATE_LIMITS: 'on', RATE_LIMIT_READS: '30', RATE_LIMIT_SEARCH: '2', RATE_LIMIT_GENERATION: '1' },
    TRUSTED_PROXIES: '127.0.0.1',
  },
})
afterAll(() => service.close())

const from = (address: string) => ({ 'x-forwarded-for': address })

describe.each(VERSIONS)('with protocol version %s', (version) => {
  test('a tool call counts against the limit of its kind, and a refused call returns a tool error', async () => {
    const token = await service.signedUp(`searcher-${version}`)
    const { call } = await connectClient(service, version, token)
    for (let n = 0; n < 2; n++) expect((await call('search_articles', { query: 'anything' })).isError).toBe(false)
    const refused = await call('search_articles', { query: 'anything' })
    expectError(refused, 'RATE_LIMITED')
    expect(refused.error.retryAfter).toBeGreaterThan(0)
    expect(refused.text).toMatch(/Try again in \d+ seconds\.$/m)
    expect((await call('search_articles')).isError).toBe(false)
    const pullRequest = aPull(service)
    expect((await call('ask_for_article', { pullRequest })).text).toMatch(/^Article /)
    expectError(await call('ask_for_article', { pullRequest }), 'RATE_LIMITED')
    expect((await call('read_article', { pullRequest })).isError).toBe(false)
  })
})

test('tool calls share the rate limits of the API', async () => {
  const token = await service.signedUp('sharing')
  const search = () => service.call('listArticles', { token, query: { q: 'anything' } })
  await service.call('getCurrentUser', { token })
  expect([(await search()).status, (await search()).status]).toEqual([200, 200])
  const message = toolCall('search_articles', { query: 'anything' })
  const { status, headers, body } = await post(service, message, { authorization: `Bearer ${token}` })
  expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([200, '2', '0'])
  expectError(toolResult(body.result), 'RATE_LIMITED')
})

test('over the limit, messages that call no tool get 429, and large bodies get 429 before they are parsed', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  for (let n = 0; n < 150; n++) expect((await post(service, list, from('198.51.100.7'))).status).toBe(200)
  const { status, headers, body } = await post(service, list, from('198.51.100.7'))
  expect([status, body.id, body.error.data.code]).toEqual([429, 1, 'RATE_LIMITED'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await post(service, `{${' '.repeat(20_000)}`, from('198.51.100.7'))).status).toBe(429)
  expect((await post(service, `{${' '.repeat(20_000)}`, from('198.51.100.8'))).status).toBe(400)
})

test('messages over the limit do not delay messages of other clients', async () => {
  const search = () => post(service, toolCall('search_articles', { query: 'anything' }), from('198.51.100.20'))
  const flood = Promise.all(Array.from({ length: 700 }, search))
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await post(service, list, from('198.51.100.21'))).status).toBe(200)
  const results = (await flood).map(({ status, body }) => [status, body.result && toolResult(body.result).error?.code])
  expect(results.filter(([status]) => status !== 200)).toEqual([])
  expect(results.filter(([, code]) => code === 'RATE_LIMITED')).toHaveLength(690)
})
