import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../support/fakeHost.ts'
import { startService } from '../support/service.ts'

const service = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
afterAll(() => service.close())
afterEach(() => service.host.heal())

const MINUTES = 60_000
const HOURS = 60 * MINUTES

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const me = (token: string) => service.call('getCurrentUser', { token })

test('a known token costs no call to the host, a thousand times', async () => {
  const token = await service.signedUp('regular')
  const before = service.host.calls.length
  for (let batch = 0; batch < 20; batch++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => me(token)))
    for (const { status } of answers) expect(status).toBe(200)
  }
  expect(service.host.calls.length).toBe(before)
})

test('remembers a refusal for a minute, and that many good tokens come from one address', async () => {
  const address = from('203.0.113.10')
  const before = service.host.callsTo('/user')
  for (let i = 0; i < 5; i++)
    expect((await service.call('getCurrentUser', { token: 'refused', ...address })).status).toBe(401)
  expect(service.host.callsTo('/user') - before).toBe(1)
  service.advance(1.1 * MINUTES)
  await service.call('getCurrentUser', { token: 'refused', ...address })
  expect(service.host.callsTo('/user') - before).toBe(2)
  const tokens = Array.from({ length: 150 }, (_, i) => service.host.token(`neighbour-${i}`))
  const answers = await Promise.all(tokens.map((token) => service.call('signUp', { token, ...address })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(150)
})

test('counts a /64 of IPv6 as one address, and stops at 600 refusals overall where one is its own', async () => {
  service.advance(2 * MINUTES)
  const ask = (token: string, address: string) => service.call('getCurrentUser', { token, ...from(address) })
  for (let i = 0; i < 60; i++) expect((await ask(`v6-${i}`, `2001:db8:0:1::${i}`)).status).toBe(401)
  expect((await ask('v6-60', '2001:db8:0:1:ffff::1')).status).toBe(429)
  expect((await ask('v6-61', '2001:db8:0:2::1')).status).toBe(401)
  for (let i = 0; i < 539; i++) await ask(`overall-${i}`, `198.18.${i % 250}.${Math.floor(i / 250)}`)
  const before = service.host.calls.length
  const full = await ask('one-too-many', '198.18.0.0')
  expect(full.status).toBe(429)
  expect(Number(full.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(service.host.calls.length).toBe(before)
  service.advance(2 * MINUTES)
})

test('checks a new token once, however many ask at once', async () => {
  const token = service.host.token('rush')
  const before = service.host.callsTo('/user')
  const answers = await Promise.all(Array.from({ length: 50 }, () => me(token)))
  expect(new Set(answers.map(({ body }) => body.error.code))).toEqual(new Set(['USER_NOT_FOUND']))
  expect(service.host.callsTo('/user') - before).toBe(1)
})

test('is checked anew after ten minutes, and follows the profile', async () => {
  const token = await service.signedUp('renamed')
  const before = service.host.callsTo('/user')
  service.host.rename('renamed', { name: 'A New Name', email: 'new@example.com' })
  service.advance(9 * MINUTES)
  expect((await me(token)).body.data.hostDisplayName).toBe('The renamed')
  service.advance(2 * MINUTES)
  await Promise.all(Array.from({ length: 20 }, () => me(token)))
  expect(service.host.callsTo('/user') - before).toBe(1)
  expect((await me(token)).body.data).toMatchObject({ hostDisplayName: 'A New Name', email: 'new@example.com' })
})

test('is refused once the host refuses it, at the next check', async () => {
  const token = await service.signedUp('withdrawn')
  service.host.revoke(token)
  expect((await me(token)).status).toBe(200)
  service.advance(11 * MINUTES)
  const answers = await Promise.all(Array.from({ length: 10 }, () => me(token)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
})

test('stays good for a day while the host cannot be reached, asking once a minute', async () => {
  const token = await service.signedUp('offline')
  service.host.fail({ path: /^\/user$/, times: 1000, act: faults.status(500) })
  service.advance(11 * MINUTES)
  const before = service.host.callsTo('/user')
  for (let i = 0; i < 5; i++) expect((await me(token)).status).toBe(200)
  expect(service.host.callsTo('/user') - before).toBe(2)
  service.advance(23 * HOURS)
  expect((await me(token)).status).toBe(200)
  service.advance(2 * HOURS)
  const { status, body } = await me(token)
  expect([status, body.error.code]).toEqual([502, 'HOST_UNAVAILABLE'])
  service.host.heal()
  expect((await me(token)).status).toBe(200)
})

test.each([
  ['down', faults.reset, 502, 120],
  ['spent', faults.status(403, { 'retry-after': '60' }), 429, 60],
])('a host that is %s is spared too, and a token that met it may try again', async (name, act, status, calls) => {
  service.advance(2 * MINUTES)
  service.host.fail({ path: /^\/user$/, times: 1000, act })
  const before = service.host.callsTo('/user')
  const unlucky = service.host.token(`unlucky-${name}`)
  const strangers = [unlucky, ...Array.from({ length: 199 }, (_, i) => `${name}-${i}`)]
  const answers = await Promise.all(
    strangers.map((token) => service.call('getCurrentUser', { token, ...from('203.0.113.77') })),
  )
  expect(answers[0]?.status).toBe(status)
  expect(service.host.callsTo('/user') - before).toBe(calls)
  expect(answers.at(-1)?.status).toBe(429)
  service.host.heal()
  service.advance(2 * MINUTES)
  expect((await service.call('signUp', { token: unlucky, ...from('203.0.113.77') })).status).toBe(201)
})

test('one token in trouble counts once, however often it tries', async () => {
  service.advance(2 * MINUTES)
  const limited = service.host.token('limited')
  service.host.fail({ path: /^\/user$/, times: 1, act: faults.status(403, { 'retry-after': '600' }) })
  for (let i = 0; i < 70; i++)
    expect((await service.call('signUp', { token: limited, ...from('203.0.113.80') })).body.error.details).toEqual({
      by: 'host',
    })
  const neighbour = service.host.token('neighbour')
  expect((await service.call('signUp', { token: neighbour, ...from('203.0.113.80') })).status).toBe(201)
})

test('a failure before a refusal does not shorten the memory of it', async () => {
  service.advance(2 * MINUTES)
  service.host.fail({ path: /^\/user$/, times: 2, act: faults.status(500) })
  expect((await me('flaky')).status).toBe(502)
  service.advance(50_000)
  expect((await me('flaky')).status).toBe(401)
  const before = service.host.callsTo('/user')
  service.advance(15_000)
  expect((await me('flaky')).status).toBe(401)
  expect(service.host.callsTo('/user')).toBe(before)
})

test('sign-up with a token withdrawn meanwhile ends its session, so that asking again is bounded', async () => {
  const token = service.host.token('vanished')
  expect((await me(token)).status).toBe(404)
  service.host.revoke(token)
  const before = service.host.callsTo('/user')
  for (let i = 0; i < 5; i++) expect((await service.call('signUp', { token })).status).toBe(401)
  expect(service.host.callsTo('/user') - before).toBe(2)
})

test('a token the host forbids at first stands for nobody; of a good one it says only that the host is in trouble', async () => {
  service.host.fail({ path: /^\/user$/, times: 1, act: faults.status(403) })
  expect((await me('installation')).status).toBe(401)
  const token = await service.signedUp('blocked')
  service.advance(11 * MINUTES)
  service.host.fail({ path: /^\/user$/, times: 1, act: faults.status(403) })
  expect((await me(token)).status).toBe(200)
  service.advance(2 * MINUTES)
  expect((await me(token)).status).toBe(200)
})

test.each([
  ['Basic aGFuYWtvOnNlY3JldA=='],
  ['Bearer'],
  ['Bearer '],
  ['Bearer two words'],
  ['Bearer tökén'],
  ['Token abc'],
  [''],
])('refuses the header %j', async (authorization) => {
  const { status, body } = await service.send('GET', '/users/me', {
    headers: { authorization: Buffer.from(authorization).toString('latin1') },
  })
  expect([status, body.error.code]).toEqual([401, 'UNAUTHENTICATED'])
})

test('takes the scheme in any case', async () => {
  const token = await service.signedUp('shouting')
  const { status } = await service.send('GET', '/users/me', { headers: { authorization: `BEARER ${token}` } })
  expect(status).toBe(200)
})
