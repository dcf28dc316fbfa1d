import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
afterAll(() => service.close())
afterEach(() => service.host.heal())

const MINUTES = 60_000
const HOURS = 60 * MINUTES

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const me = (token: string) => service.call('getCurrentUser', { token })

test('caches the rejection of a token for a minute, and still accepts many good tokens from the same IP address', async () => {
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

test('verifies a new token once for concurrent requests', async () => {
  const token = service.host.token('rush')
  const before = service.host.callsTo('/user')
  const answers = await Promise.all(Array.from({ length: 50 }, () => me(token)))
  expect(new Set(answers.map(({ body }) => body.error.code))).toEqual(new Set(['USER_NOT_FOUND']))
  expect(service.host.callsTo('/user') - before).toBe(1)
})

test('verifies a token again after ten minutes and updates the profile', async () => {
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

test('rejects a revoked token at the next verification', async () => {
  const token = await service.signedUp('withdrawn')
  service.host.revoke(token)
  expect((await me(token)).status).toBe(200)
  service.advance(11 * MINUTES)
  const answers = await Promise.all(Array.from({ length: 10 }, () => me(token)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
})

test('while the host is unreachable, accepts a known token for a day and retries its verification once a minute', async () => {
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
  ['rate-limited', faults.status(403, { 'retry-after': '60' }), 429, 60],
])('limits calls per IP address to a host that is %s; tokens may retry later', async (name, act, status, calls) => {
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

test('repeated requests with a rate-limited token count only once against the limit of their IP address', async () => {
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

test('caches the rejection of a token for a full minute even if its verification failed earlier with a host error', async () => {
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

test('ends the session of a token that is revoked before sign-up, so that more attempts make no more host calls', async () => {
  const token = service.host.token('vanished')
  expect((await me(token)).status).toBe(404)
  service.host.revoke(token)
  const before = service.host.callsTo('/user')
  for (let i = 0; i < 5; i++) expect((await service.call('signUp', { token })).status).toBe(401)
  expect(service.host.callsTo('/user') - before).toBe(2)
})

test('if the host returns 403, rejects a new token but still accepts a known one', async () => {
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
])('rejects the authorization header %j', async (authorization) => {
  const { status, body } = await service.send('GET', '/users/me', {
    headers: { authorization: Buffer.from(authorization).toString('latin1') },
  })
  expect([status, body.error.code]).toEqual([401, 'UNAUTHENTICATED'])
})

test('accepts the authorization scheme in upper case', async () => {
  const token = await service.signedUp('shouting')
  const { status } = await service.send('GET', '/users/me', { headers: { authorization: `BEARER ${token}` } })
  expect(status).toBe(200)
})

test('opens a session again if it was deleted while it was being stored', async () => {
  const { db } = service.ctx
  await sql`
    create function delete_session_once() returns trigger language plpgsql as $$ begin
      delete from sessions where id = new.id;
      drop trigger delete_session_once on sessions;
      return null;
    end $$
  `.execute(db)
  await sql`
    create constraint trigger delete_session_once after insert on sessions
    initially deferred for each row execute function delete_session_once()
  `.execute(db)
  const token = service.host.token('newcomer')
  expect((await me(token)).body.error.code).toBe('USER_NOT_FOUND')
  expect((await service.call('signUp', { token })).status).toBe(201)
})
