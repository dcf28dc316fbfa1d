import { request } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
import { aPull, articlesOf } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { expectShortTurns } from '../../support/longestTurn.ts'
import { ACCEPT, expectError, post, toolCall, toolResult } from '../../support/mcp.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { CORS_ORIGINS: 'https://tools.example.com' } })
afterAll(() => service.close())
const token = await service.signedUp('reader')
const place = aPull(service)
const article = await articlesOf(service).generated(place, token)

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'plain', version: '1' } },
}
const list = { jsonrpc: '2.0', id: 'two', method: 'tools/list' }

test('a client without the MCP library initializes, lists tools and calls one', async () => {
  const hello = await post(service, initialize)
  expect([hello.status, hello.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(hello.body).toMatchObject({
    id: 1,
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, prompts: {} },
      serverInfo: { name: 'pullpress' },
    },
  })
  expect(hello.headers.get('mcp-session-id')).toBeNull()
  const initialized = await post(service, { jsonrpc: '2.0', method: 'notifications/initialized' })
  expect([initialized.status, initialized.body]).toEqual([202, undefined])
  const { body: listed } = await post(service, list)
  expect([listed.id, listed.result.tools.length]).toEqual(['two', 5])
  const called = await post(service, toolCall('read_article', { articleId: article.id }, 3))
  expect([called.body.id, called.body.result.content[0].text]).toEqual([3, expect.stringContaining(article.id)])
  expect(called.headers.get('cache-control')).toBe('no-store')
  expect(called.headers.get('x-request-id')).toBeTruthy()
})

test('agrees on a protocol version that both sides support, or offers the newest version of the service', async () => {
  const negotiated = { '2025-06-18': '2025-06-18', '2025-11-25': '2025-11-25', '2024-11-05': '2025-11-25' }
  for (const [protocolVersion, expected] of Object.entries({ ...negotiated, '2099-01-01': '2025-11-25' })) {
    const { body } = await post(service, { ...initialize, params: { ...initialize.params, protocolVersion } })
    expect(body.result.protocolVersion).toBe(expected)
  }
})

test('accepts supported protocol versions in the header and refuses older ones', async () => {
  const listed = (version: string) => post(service, list, { 'mcp-protocol-version': version })
  for (const version of ['2025-06-18', '2025-11-25']) expect((await listed(version)).body.result.tools).toHaveLength(5)
  for (const version of ['2024-11-05', '2025-03-26']) {
    const { status, body } = await listed(version)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('Unsupported protocol version')])
  }
})

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])('refuses %s with 405', async (method) => {
  const response = await fetch(`${service.url}/mcp`, { method, headers: { accept: 'text/event-stream' } })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})

test('refuses an invalid token with 401 and a challenge, like the API', async () => {
  for (const authorization of ['Bearer not-a-token', 'Basic abc']) {
    const { status, headers, body } = await post(service, list, { authorization })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="pullpress", error="invalid_token"'])
    expect(body.error.data.code).toBe('UNAUTHENTICATED')
  }
  const malformed = await post(service, '{', { authorization: 'Bearer not-a-token' })
  expect(malformed.status).toBe(401)
})

test('does not accept the cookie of a browser session', async () => {
  const hidden = aPull(service, {}, { private: true, members: ['owner'] })
  const owner = await service.signedUp('owner')
  await articlesOf(service).generated(hidden, owner)
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: owner })
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await browser.ask('/users/me')).status).toBe(200)
  const read = (headers: Record<string, string>) =>
    post(service, toolCall('read_article', { pullRequest: hidden }), headers)
  expect((await read({ authorization: `Bearer ${owner}` })).body.result.isError).toBeUndefined()
  const { body } = await read({ cookie, 'sec-fetch-site': 'same-origin' })
  expectError(toolResult(body.result), 'HOST_REPO_NOT_FOUND')
})

describe('a malformed message', () => {
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`
  test.each([
    ['malformed JSON', '{"jsonrpc"', 400, -32_700, 'The body is not well-formed JSON.'],
    ['no body', '', 400, -32_700, 'The body must be a JSON-RPC message.'],
    [
      'deep nesting',
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${deep}}`,
      400,
      -32_700,
      'nested too deeply',
    ],
    ['a batch', [list, list], 400, -32_600, 'Send one message at a time, not an array.'],
    ['a text', '"tools/list"', 400, -32_600, 'The body must be a JSON-RPC message.'],
    ['another version of JSON-RPC', { ...list, jsonrpc: '1.0' }, 400, -32_600, 'not a valid JSON-RPC message'],
    ['a prototype', '{"__proto__":{"x":1}}', 400, -32_700, 'The body is not well-formed JSON.'],
  ])('is refused: %s', async (_, message, status, code, text) => {
    const answer = await post(service, message)
    expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
      status,
      code,
      expect.stringContaining(text),
    ])
  })

  test('is refused: an unknown method', async () => {
    const { body } = await post(service, { jsonrpc: '2.0', id: 7, method: 'tools/destroy' })
    expect(body).toMatchObject({ id: 7, error: { code: -32_601, message: 'Method not found' } })
  })

  test('is refused: another media type', async () => {
    const { status, body } = await post(service, list, { 'content-type': 'text/plain' })
    expect([status, body.error.data.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('is refused: a body of more than 1 MiB', async () => {
    const { status, body } = await post(service, toolCall('search_articles', { query: 'x'.repeat(1024 * 1024) }))
    expect([status, body.error.data.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('never blocks the event loop for long', async () => {
    const wide = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`field${i}`, i]))
    const initializing = { ...initialize, params: { ...initialize.params, capabilities: { experimental: wide } } }
    const messages = [
      toolCall('search_articles', wide),
      toolCall('search_articles', { query: Array(100_000).fill(1) }),
      { ...list, params: { _meta: wide } },
      { ...list, ...wide },
      initializing,
    ].map((message) => JSON.stringify(message))
    const quotes = JSON.stringify(toolCall('search_articles', { query: '"'.repeat(500_000) }))
    await expectShortTurns(100, async () => {
      for (const message of messages) {
        const { status, body } = await post(service, message)
        expect([status, body.error.message]).toEqual([400, 'The message has too many values.'])
      }
      const { body } = await post(service, quotes)
      expectError(toolResult(body.result), 'VALIDATION_ERROR')
    })
  })
})

test('offers no subscriptions, and refuses them as an unknown method', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'plain', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const send = (method: string, params = {}) =>
    post(
      service,
      { jsonrpc: '2.0', id: 'five', method, params: { _meta, ...params } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    )
  expect((await send('server/discover')).body.result.capabilities).toEqual({ tools: {}, prompts: {} })
  const listening = await send('subscriptions/listen', { notifications: { toolsListChanged: true } })
  expect([listening.status, listening.body]).toMatchObject([404, { id: 'five', error: { code: -32_601 } }])
  const unknown = await send('tools/destroy')
  expect([unknown.status, unknown.body.error.code]).toEqual([404, -32_601])
  const older = await post(service, { jsonrpc: '2.0', id: 6, method: 'subscriptions/listen', params: {} })
  expect([older.status, older.body]).toMatchObject([200, { id: 6, error: { code: -32_601 } }])
})

describe('the Origin header', () => {
  const sent = (origin: string, more: Record<string, string> = {}) => post(service, list, { origin, ...more })

  test.each([
    'https://evil.example.com',
    'null',
    'http://localhost.evil.example.com',
    'https://tools.example.com.evil.org',
  ])('is refused: %s', async (origin) => {
    const { status, body } = await sent(origin)
    expect([status, body.error.data]).toMatchObject([403, { code: 'FORBIDDEN', details: { reason: 'other_origin' } }])
  })

  test('is accepted if it is our own origin or in CORS_ORIGINS, with CORS headers', async () => {
    expect((await sent(service.url)).status).toBe(200)
    const { status, headers } = await sent('https://tools.example.com')
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://tools.example.com'])
    const preflight = await fetch(`${service.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://tools.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,authorization,mcp-protocol-version',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'content-type,authorization,mcp-protocol-version',
    ])
  })
})

test('refuses an origin that only the Host header confirms, unless it is localhost or an IP address', async () => {
  const { port } = new URL(service.url)
  const sendAs = async (host: string, url = service.url) => {
    const headers = { host, origin: `http://${host}`, 'content-type': 'application/json', accept: ACCEPT }
    const { statusCode, body } = await request(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(list) })
    await body.dump()
    return statusCode
  }
  const hosts = [`rebound.example.com:${port}`, `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]
  expect(await Promise.all(hosts.map((host) => sendAs(host)))).toEqual([403, 200, 200, 200])
  expect(await sendAs('not a host')).toBe(403)
})

test('uses PUBLIC_URL as its own origin, also in links', async () => {
  const named = await startService({ env: { PUBLIC_URL: 'https://press.example.com' } })
  const { id } = await articlesOf(named).generated(aPull(named), await named.signedUp('reader'))
  const read = (origin: string) => post(named, toolCall('read_article', { articleId: id }), { origin })
  expect((await read(named.url)).status).toBe(403)
  const { body } = await read('https://press.example.com')
  expect(body.result.content[0].text).toContain(`page https://press.example.com/read/articles/${id}?language=ja\n`)
  await named.close()
})

test('requests are logged with the operation mcp, without the body', async () => {
  service.logged.length = 0
  await post(service, toolCall('search_articles', { query: 'secretly-searched' }), { authorization: `Bearer ${token}` })
  await expect.poll(() => service.logged.join('')).toContain('"operationId":"mcp"')
  const line = service.logged.find((one) => one.includes('"operationId":"mcp"')) ?? ''
  expect(JSON.parse(line)).toMatchObject({ method: 'POST', path: '/mcp', status: 200, userId: expect.any(String) })
  expect(service.logged.join('')).not.toContain('secretly-searched')
})
