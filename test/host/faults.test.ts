import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { pauseRateLimited } from '../../src/host/rateLimits.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

service.host.repository({ id: 1, owner: 'acme', name: 'shop' })
const token = await service.signedUp('hanako')
const path = /^\/repos\//

async function register(callerToken = token) {
  const callsBefore = service.host.calls.length
  const started = performance.now()
  const { status, body, headers } = await service.call('registerFavorite', {
    token: callerToken,
    body: { owner: 'acme', repo: 'shop' },
  })
  return {
    status,
    code: body.error?.code,
    details: body.error?.details,
    retryAfter: Number(headers.get('retry-after')),
    calls: service.host.calls.length - callsBefore,
    milliseconds: performance.now() - started,
  }
}

test.each([
  ['one 500', faults.status(500)],
  ['one 502', faults.status(502)],
  ['one reset', faults.reset],
])('retries after %s', async (_, act) => {
  service.host.fail({ path, times: 1, act })
  const outcome = await register()
  expect([200, 201]).toContain(outcome.status)
  expect(outcome.calls).toBe(2)
})

test.each([
  ['repeated 500', faults.status(500), 2],
  ['repeated 503', faults.status(503), 2],
  ['repeated resets', faults.reset, 2],
  ['truncated JSON', faults.cutJson, 1],
  ['an unexpected shape', faults.status(200, {}, { message: 'hello' }), 1],
  ['null', faults.status(200, {}, null as never), 1],
  [
    'a name that is not a string',
    faults.status(200, {}, { id: 1, name: 'a', private: false, owner: { login: {} } } as never),
    1,
  ],
  [
    'a name that is too long',
    faults.status(200, {}, { id: 1, name: 'a'.repeat(101), private: false, owner: { login: 'b' } } as never),
    1,
  ],
  ['an unexpected status', faults.status(422), 1],
])('returns 502 after %s from the host', async (_, act, calls) => {
  service.host.fail({ path, times: 9, act })
  const outcome = await register()
  expect(outcome).toMatchObject({ status: 502, code: 'HOST_UNAVAILABLE', calls })
  expect(outcome.milliseconds).toBeLessThan(5000)
})

test('gives up within 15 seconds if the host hangs or sends a response byte by byte', async () => {
  const drip = faultDrip()
  service.host.fail({ path, times: 1, act: faults.hang }, { path, times: 9, act: drip.act })
  const outcome = await register()
  drip.stop()
  expect(outcome).toMatchObject({ status: 502, code: 'HOST_UNAVAILABLE', calls: 2 })
  expect(outcome.milliseconds).toBeLessThan(15_000)
})

function faultDrip() {
  const timers: NodeJS.Timeout[] = []
  const act: (typeof faults)['cutJson'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    timers.push(setInterval(() => response.write(' '), 100))
  }
  return { act, stop: () => timers.forEach(clearInterval) }
}

test.each([
  ['primary', () => faults.status(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(120) }), 120],
  ['secondary', () => faults.status(403, { 'retry-after': '45' }), 45],
  [
    'secondary without Retry-After',
    () => faults.status(403, {}, { message: 'You have exceeded a secondary rate limit.' }),
    60,
  ],
  ['plain 429', () => faults.status(429), 60],
])('returns 429 for a %s rate limit, and then pauses calls with this token', async (login, limit, seconds) => {
  const callerToken = await service.signedUp(login.replaceAll(' ', '-'))
  service.host.fail({ path, times: 1, act: limit() })
  const limited = await register(callerToken)
  expect(limited).toMatchObject({ status: 429, code: 'RATE_LIMITED', details: { by: 'host' }, calls: 1 })
  expect(limited.retryAfter).toBeGreaterThan(seconds - 5)
  expect(limited.retryAfter).toBeLessThanOrEqual(seconds + 1)
  expect(limited.milliseconds).toBeLessThan(5000)
  expect(await register(callerToken)).toMatchObject({ status: 429, calls: 0 })
  expect([200, 201]).toContain((await register()).status)
  service.advance((seconds + 2) * 1000)
  expect(await register(callerToken)).toMatchObject({ status: 201, calls: 1 })
  service.advance(-(seconds + 2) * 1000)
})

function reset(seconds: number): string {
  return String(Math.floor(Date.now() / 1000) + seconds)
}

test('a shorter rate limit does not shorten a longer one', async () => {
  const answers = [300, 5].map((seconds) => new Response('', { status: 429, headers: { 'retry-after': `${seconds}` } }))
  let time = 0
  const send = async () => answers.shift() ?? new Response('')
  const limited = pauseRateLimited(send, () => new Date(time), 'https://host.example/search/')
  const ask = () => limited.send('https://host.example/user', {})
  const refused = await Promise.allSettled([ask(), ask()])
  expect(refused).toMatchObject([{ reason: { retryAfter: 300 } }, { reason: { retryAfter: 5 } }])
  time = 10_000
  await expect(ask()).rejects.toMatchObject({ retryAfter: 290 })
})

test('tries a token again after five minutes even if the host asks to wait a year', async () => {
  const callerToken = await service.signedUp('patient')
  service.host.fail({ path, times: 1, act: faults.status(429, { 'retry-after': '31536000' }) })
  expect(await register(callerToken)).toMatchObject({ status: 429, calls: 1 })
  service.advance(4 * 60_000)
  expect(await register(callerToken)).toMatchObject({ status: 429, calls: 0 })
  service.advance(61_000)
  expect([200, 201]).toContain((await register(callerToken)).status)
  service.advance(-5 * 60_000 - 1000)
})

test('follows redirects within the host, but sends no request or token to another host', async () => {
  const visits: (string | undefined)[] = []
  const elsewhere = createServer((request, response) => {
    visits.push(request.headers.authorization)
    response.end('{}')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const port = (elsewhere.address() as AddressInfo).port
  service.host.fail({ path, times: 1, act: faults.redirect(`http://127.0.0.1:${port}/repos/acme/shop`) })
  expect(await register()).toMatchObject({ status: 502, code: 'HOST_UNAVAILABLE', calls: 1 })
  expect(visits).toEqual([])
  elsewhere.close()

  service.host.fail({ path, times: 1, act: faults.redirect('/repositories/1') })
  expect([200, 201]).toContain((await register()).status)
  service.host.fail({ path: /./, times: 50, act: faults.redirect('/repositories/1') })
  expect((await register()).status).toBe(502)
})

test('returns 401 for a bearer token once the host has rejected it during a request', async () => {
  const callerToken = await service.signedUp('revoked')
  service.host.revoke(callerToken)
  expect(await register(callerToken)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  expect((await service.call('getCurrentUser', { token: callerToken })).status).toBe(401)
})

test('passes the Retry-After of the host on to the caller', async () => {
  service.host.fail({ path, times: 9, act: faults.status(503, { 'retry-after': '120' }) })
  expect(await register()).toMatchObject({ status: 502, code: 'HOST_UNAVAILABLE', retryAfter: 120 })
})
