import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { expectConforming } from '../../support/contract.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { CORS_ORIGINS: 'https://reader.example.com,http://localhost:*' } })
afterAll(() => service.close())

const token = await service.signedUp('hanako')
const authorization = `Bearer ${token}`
const json = { authorization, 'content-type': 'application/json' }

/** Sends raw bytes and reads the response from the socket. */
async function raw(request: string): Promise<{ status: number; body: string }> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(request)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':')[0] ?? '', line.replace(/^[^:]+: /, '')]),
  )
  expectConforming('RAW', '/', { status, headers, text: body })
  return { status, body }
}

test.each([
  ['malformed JSON', '{"language": '],
  ['a trailing comma', '{"language": "en",}'],
  ['two documents', '{} {}'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a poisoned prototype', '{"__proto__": {"admin": true}, "language": "en"}'],
  ['a poisoned constructor', '{"constructor": {"prototype": {"admin": true}}, "language": "en"}'],
  ['an empty body', ''],
  ['whitespace', '  '],
  ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
])('returns 400 for %s', async (_, body) => {
  const { status, body: problem } = await service.send('PATCH', '/users/me', { headers: json, body })
  expect([status, problem.error.code]).toEqual([400, 'VALIDATION_ERROR'])
})

test.each([
  ['PATCH', '/users/me'],
  ['POST', '/users/me/favorite-repositories'],
])('returns 400 for a missing body: %s %s', async (method, path) => {
  const { status, body } = await service.send(method, path, { headers: { authorization } })
  expect([status, body.message]).toEqual([400, 'A JSON body is required.'])
})

test.each([['application/json; charset=utf-8'], ['APPLICATION/JSON'], ['application/json;charset=UTF-8;x=y']])(
  'accepts %s as JSON and validates it',
  async (type) => {
    const headers = { authorization, 'content-type': type }
    const good = await service.send('PATCH', '/users/me', { headers, body: '{"language": "en"}' })
    expect(good.status).toBe(200)
    const bad = await service.send('PATCH', '/users/me', { headers, body: '{"language": "english"}' })
    expect(bad.status).toBe(400)
  },
)

test.each([
  ['text/plain'],
  ['application/x-www-form-urlencoded'],
  ['application/xml'],
  ['nonsense'],
  ['application/jsonx'],
])('returns 415 for %s', async (type) => {
  const headers = { authorization, 'content-type': type }
  const { status, body } = await service.send('PATCH', '/users/me', { headers, body: '{"language": "en"}' })
  expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
})

test('ignores the media type of an empty body', async () => {
  const own = { authorization: `Bearer ${await service.signedUp('taro')}` }
  const headers = { ...own, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
  expect((await service.send('PATCH', '/users/me', { headers })).status).toBe(400)
  expect((await service.send('POST', '/auth/signup', { headers })).status).toBe(409)
  expect((await service.send('POST', '/auth/logout', { headers })).status).toBe(200)
})

test('returns 400 for excessive nesting, but ignores brackets in strings', async () => {
  const change = (body: string) => service.send('PATCH', '/users/me', { headers: json, body })
  const deep = await change(`{"language": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
  expect([deep.status, deep.body.error.code, deep.body.message]).toEqual([
    400,
    'VALIDATION_ERROR',
    'The body is nested too deeply.',
  ])
  const text = await change(JSON.stringify({ language: `"\\${'['.repeat(100)}` }))
  expect([text.status, text.body.message]).toEqual([400, expect.not.stringContaining('nested')])
})

test('returns 413 above 1 MiB, with and without Content-Length', async () => {
  const large = JSON.stringify({ language: 'x'.repeat(1024 * 1024) })
  const declared = await service.send('PATCH', '/users/me', { headers: json, body: large })
  expect([declared.status, declared.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  const streamed = await service.send('PATCH', '/users/me', {
    headers: json,
    body: new Blob([large]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(streamed.status).toBe(413)
})

test('a client that keeps sending gets 413 before the connection is closed', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause()
  socket.on('error', () => {})
  const lines = Object.entries({ host: 'x', ...json, 'content-length': 1e12 }).map((entry) => entry.join(': '))
  socket.write(['PATCH /users/me HTTP/1.1', ...lines, '', ''].join('\r\n'))
  for (let mebibytes = 0; mebibytes < 8; mebibytes++) {
    socket.write(Buffer.alloc(1024 * 1024, ' '))
    await sleep(10)
  }
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await new Promise((closed) => socket.once('close', closed).resume())
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close.*"PAYLOAD_TOO_LARGE"/s)
  await expect.poll(() => service.logged.join('')).toContain('"path":"/users/me","status":413')
})

test('an invalid request without a token gets 401, not 400 or 415', async () => {
  for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
    const { status } = await service.send('PATCH', '/users/me', { headers, body: '{' })
    expect(status).toBe(401)
  }
  expect((await service.send('GET', '/users/me/favorite-repositories?limit=zero')).status).toBe(401)
  expect((await service.send('DELETE', '/auth/sessions/seven')).status).toBe(401)
})

test('returns 404 for an unknown path, and 405 with Allow for an unsupported method', async () => {
  for (const path of ['/users', '/users/me/', '/users/you', '/healthz/x', '/openapi', '//users/me']) {
    const { status, body } = await service.send('GET', path)
    expect([path, status, body.error.code]).toEqual([path, 404, 'NOT_FOUND'])
  }
  const put = await service.send('PUT', '/users/me', { headers: json, body: '{}' })
  expect([put.status, put.body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
  expect(put.headers.get('allow')).toBe('GET, HEAD, POST, PATCH, DELETE')
  const search = await service.send('GET', '/users/me/favorite-repositories/a/b?x=1')
  expect([search.status, search.headers.get('allow')]).toEqual([405, 'DELETE, PATCH'])
})

test('returns 400 for a path parameter that is too long, whatever its length', async () => {
  for (const length of [101, 501, 10_000]) {
    const path = `/users/me/favorite-repositories/acme/${'r'.repeat(length)}`
    const { status } = await service.send('DELETE', path, { headers: { authorization } })
    expect([length, status]).toEqual([length, 400])
  }
})

const NOT_CANONICAL = ['1e3', '0x1', '+1', '-1', '1.0', '1.', '%201', '1%20', '01', '00', '1_0', '٣', '%0A1', '']

test.each(NOT_CANONICAL)('returns 400 for "%s" as a number in a URL', async (text) => {
  const urls = [
    `/ranking/articles/likes?limit=${text}`,
    `/ranking/articles/likes?offset=${text}`,
    `/users/me/favorite-repositories?limit=${text}`,
    ...(text ? [`/repos/acme/shop/pulls/${text}`, `/repos/acme/shop/pulls/${text}/article`] : []),
  ]
  for (const url of urls) {
    const { status, body } = await service.send('GET', url, { headers: { authorization } })
    expect([url, status, body.error?.code]).toEqual([url, 400, 'VALIDATION_ERROR'])
    expect(body.error.details.issues[0].path).toMatch(/^\/(limit|offset|number)$/)
  }
})

test('accepts decimal digits as numbers in a URL', async () => {
  const { status, body } = await service.send('GET', '/ranking/articles/likes?limit=10&offset=0')
  expect([status, body.data.pagination]).toEqual([200, { totalItems: 0, limit: 10, offset: 0, nextCursor: null }])
})

test('HEAD returns the headers of GET without the body', async () => {
  const response = await fetch(`${service.url}/healthz`, { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('returns 400 for malformed URLs and malformed HTTP', async () => {
  expect((await service.send('GET', '/users/%zz')).body.error.code).toBe('VALIDATION_ERROR')
  expect((await raw('NONSENSE\r\n\r\n')).status).toBe(400)
  expect((await raw('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')).status).toBe(400)
  expect((await raw('GET /nowhere HTTP/1.1\r\nhost: x\r\nexpect: tea\r\nconnection: close\r\n\r\n')).status).toBe(404)
  const overflow = await raw(`GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`)
  expect(overflow.status).toBe(400)
  expect(overflow.body).toContain('The headers are too large.')
})

test.each(['1.1', '1.0'])('returns 400 for two Host headers in HTTP/%s', async (version) => {
  const hosts = ['Host: a.example\r\nHost: b.example', 'Host: a.example\r\nhOST: a.example', 'Host: a.example\r\nHost:']
  for (const path of ['/healthz', '/read', '/nowhere'])
    for (const headers of hosts) {
      const { status, body } = await raw(`GET ${path} HTTP/${version}\r\n${headers}\r\nConnection: close\r\n\r\n`)
      expect([status, JSON.parse(body).error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  const one = await raw(`GET /nowhere HTTP/${version}\r\nHost: a.example\r\nConnection: close\r\n\r\n`)
  expect(one.status).toBe(404)
})

test('does not log client errors such as aborted bodies as server errors', async () => {
  const before = service.logged.length
  const query = await raw('QUERY /anything HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(query.status).toBeLessThan(500)
  const controller = new AbortController()
  const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"language": ')) })
  const cut = fetch(`${service.url}/users/me`, {
    method: 'PATCH',
    headers: json,
    body,
    duplex: 'half',
    signal: controller.signal,
  } as RequestInit)
  setTimeout(() => controller.abort(), 200)
  await expect(cut).rejects.toThrow()
  await sleep(300)
  expect(service.logged.slice(before).filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

test('returns 500 for an internal error, with details only in the log', async () => {
  const { now } = service.ctx
  service.ctx.now = () => {
    throw new TypeError('a clock that is broken')
  }
  const { status, body } = await service.call('getCurrentUser', { token })
  service.ctx.now = now
  expect([status, body.error.code, body.message]).toEqual([
    500,
    'INTERNAL_SERVER_ERROR',
    'Something went wrong on our side.',
  ])
  const line = service.logged.find((entry) => entry.includes(body.error.requestId) && entry.includes('a clock'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, err: { type: 'TypeError' } })
})

test('logs an internal error even if the client has disconnected', async () => {
  const { now } = service.ctx
  const controller = new AbortController()
  service.ctx.now = () => {
    controller.abort()
    const until = performance.now() + 50
    while (performance.now() < until);
    throw new TypeError('a clock nobody waits for')
  }
  const options = { method: 'DELETE', headers: { authorization }, signal: controller.signal }
  await expect(fetch(`${service.url}/auth/sessions/0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a01`, options)).rejects.toThrow()
  await expect.poll(() => service.logged.join('')).toContain('a clock nobody waits for')
  service.ctx.now = now
  await sleep(200)
})

test('logs one line per request with operation, user and duration, without the query', async () => {
  const before = service.logged.length
  const { body } = await service.call('getCurrentUser', { token })
  await service.send('GET', '/users/me/favorite-repositories?limit=5&access_token=oops', { headers: { authorization } })
  await service.send('GET', '/users/%zz')
  await expect.poll(() => service.logged.length).toBe(before + 3)
  const [first, second, third] = service.logged.slice(before).map((line) => JSON.parse(line))
  expect(first).toMatchObject({
    msg: 'request',
    operationId: 'getCurrentUser',
    userId: body.data.id,
    method: 'GET',
    path: '/users/me',
    status: 200,
  })
  expect(first.milliseconds).toBeGreaterThan(0)
  expect(second.path).toBe('/users/me/favorite-repositories')
  expect(third).toMatchObject({ msg: 'request', method: 'GET', status: 400, address: '127.0.0.1' })
})

test('sends security headers, and CORS headers only to the configured origin and localhost', async () => {
  const ask = (origin: string) => fetch(`${service.url}/healthz`, { headers: { origin } })
  const friend = await ask('https://reader.example.com')
  expect(friend.headers.get('access-control-allow-origin')).toBe('https://reader.example.com')
  for (const origin of ['http://localhost', 'http://localhost:5173'])
    expect((await ask(origin)).headers.get('access-control-allow-origin')).toBe(origin)
  const others = ['https://evil.example.com', 'https://readerXexample.com', 'https://reader.example.com:8443']
  for (const origin of [...others, 'https://localhost:5173', 'http://localhost:5173.evil.example.com'])
    expect((await ask(origin)).headers.get('access-control-allow-origin')).toBeNull()
  expect(friend.headers.get('x-content-type-options')).toBe('nosniff')
  expect(friend.headers.get('cache-control')).toBe('no-store')
  expect(friend.headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
  const preflight = await fetch(`${service.url}/users/me`, {
    method: 'OPTIONS',
    headers: { origin: 'https://reader.example.com', 'access-control-request-method': 'DELETE' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE')
  const options = await service.send('OPTIONS', '/users/me')
  expect([options.status, options.headers.get('x-content-type-options')]).toEqual([405, 'nosniff'])
})

test('serves the contract and its documentation', async () => {
  const yaml = await fetch(`${service.url}/openapi.yaml`)
  expect(await yaml.text()).toContain('operationId: registerFavorite')
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { openapi: string }
  expect(document.openapi).toBe('3.1.1')
  const docs = await fetch(`${service.url}/docs`)
  expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})
