import { afterAll, beforeEach, expect, test } from 'vitest'
import { CLIENT } from '../../scripts/fakeHost/fakeOAuth.ts'
import { openBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const service = await startService({ env: { ...CLIENT, TRUSTED_PROXIES: '127.0.0.1' }, hasPages: true })
afterAll(() => service.close())

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const ask = (token: string, address: string) => service.call('getCurrentUser', { token, ...from(address) })
const signUp = (login: string, address: string) =>
  service.call('signUp', { token: service.host.token(login), ...from(address) })
let lastToken = 0

/** Sends rejected tokens in batches of 20 and expects the host to verify each. */
async function sendRejected(...addresses: string[]): Promise<void> {
  for (let i = 0; i < addresses.length; i += 20) {
    const batch = addresses.slice(i, i + 20)
    const answers = await Promise.all(batch.map((address) => ask(`refused-${++lastToken}`, address)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
  }
}

const sixtyTimes = (address: string): string[] => Array(60).fill(address)

/** Sends 600 rejected access tokens from ten IP addresses: 60 from each, the limit per address and minute. */
async function floodFromTenAddresses(): Promise<void> {
  for (let i = 1; i <= 10; i++) await sendRejected(...sixtyTimes(`203.0.113.${i}`))
}

// After a minute the rejections of the previous test no longer count.
beforeEach(() => service.advance(61_000))

test('500 random tokens from one IP address cost 60 host calls and do not affect other addresses', async () => {
  const before = service.host.callsTo('/user')
  const statuses = new Map<number, number>()
  const attack = async (worker: number) => {
    for (let i = 0; i < 10; i++) {
      const { status } = await service.call('getCurrentUser', {
        token: `random-${worker}-${i}`,
        ...from('203.0.113.9'),
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const newcomer = async () => {
    const token = service.host.token('newcomer')
    const { status } = await service.call('signUp', { token, ...from('198.51.100.7') })
    return status
  }
  const [signedUp] = await Promise.all([newcomer(), ...Array.from({ length: 50 }, (_, worker) => attack(worker))])
  expect(signedUp).toBe(201)
  expect(service.host.callsTo('/user') - before).toBe(61)
  expect(Object.fromEntries(statuses)).toEqual({ 401: 60, 429: 440 })
  const late = await service.call('signUp', { token: service.host.token('late'), ...from('198.51.100.8') })
  expect(late.status).toBe(201)
  service.advance(120_000)
  const after = await service.call('getCurrentUser', { token: 'random-again', ...from('203.0.113.9') })
  expect(after.status).toBe(401)
})

test('after 600 rejected tokens from ten IP addresses, a new address gets one verification at a time', async () => {
  await floodFromTenAddresses()
  expect((await signUp('first', '198.51.100.1')).status).toBe(201)
  expect((await signUp('second', '198.51.100.1')).status).toBe(201)
  const before = service.host.callsTo('/user')
  const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(`rush-${i}`, '198.51.100.2')))
  expect(responses.map(({ status }) => status).sort()).toEqual([401, ...Array(19).fill(429)])
  expect(service.host.callsTo('/user') - before).toBe(1)
  expect((await signUp('third', '198.51.100.2')).status).toBe(429)
  expect((await ask('flooded', '203.0.113.1')).status).toBe(429)
})

test('after 1,200 rejected tokens, unknown tokens are not verified, but OAuth sign-in still works', async () => {
  await floodFromTenAddresses()
  await sendRejected(...Array.from({ length: 600 }, (_, i) => `10.0.${i % 250}.${Math.floor(i / 250)}`))
  expect((await signUp('late', '198.51.100.3')).status).toBe(429)
  const browser = openBrowser(service.url)
  expect((await browser.submit('/sign-in', { token: service.host.token('paster') })).status).toBe(429)
  service.host.oauth.browser.login = 'visitor'
  expect((await browser.visit('/sign-in/host')).url).toBe(`${service.url}/read`)
  expect((await browser.ask('/users/me')).status).toBe(200)
})

test('rejected tokens from OAuth sign-in do not count towards the limit per IP address', async () => {
  service.host.fail({
    path: /access_token$/,
    times: 61,
    act: (_, response) => {
      const body = { access_token: `refused-${++lastToken}`, token_type: 'bearer', scope: '' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    },
  })
  for (let i = 0; i < 61; i++) expect((await openBrowser(service.url).visit('/sign-in/host')).status).toBe(401)
  expect((await openBrowser(service.url).submit('/sign-in', { token: 'no-such-token' })).status).toBe(400)
})

test('Retry-After is the time until the IP address may try again', async () => {
  await sendRejected(...sixtyTimes('203.0.113.1'))
  service.advance(20_000)
  for (let i = 2; i <= 10; i++) await sendRejected(...sixtyTimes(`203.0.113.${i}`))
  service.advance(10_000)
  await sendRejected('198.51.100.4')
  const waitOf = async (address: string) => {
    const { status, headers } = await ask('any', address)
    expect(status).toBe(429)
    return Number(headers.get('retry-after'))
  }
  // The first 60 rejections expire after 30 more seconds: then addresses below their own limit may try again.
  const wait = await waitOf('198.51.100.4')
  expect(wait).toBeGreaterThan(20)
  expect(wait).toBeLessThanOrEqual(30)
  expect(await waitOf('203.0.113.1')).toBeLessThanOrEqual(30)
  expect(await waitOf('203.0.113.2')).toBeGreaterThan(40)
  service.advance(wait * 1000)
  expect((await signUp('later', '198.51.100.4')).status).toBe(201)
  expect((await ask('any', '203.0.113.2')).status).toBe(429)
})

test('serves a known token 200 times without calling the host', async () => {
  const token = await service.signedUp('regular')
  const before = service.host.calls.length
  for (let batch = 0; batch < 4; batch++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.call('getCurrentUser', { token })))
    for (const { status } of answers) expect(status).toBe(200)
  }
  expect(service.host.calls.length).toBe(before)
})

test('counts an IPv6 /64 as one address and limits rejected tokens to 600 in total', async () => {
  for (let i = 0; i < 60; i++) expect((await ask(`v6-${i}`, `2001:db8:0:1::${i}`)).status).toBe(401)
  expect((await ask('v6-60', '2001:db8:0:1:ffff::1')).status).toBe(429)
  expect((await ask('v6-61', '2001:db8:0:2::1')).status).toBe(401)
  for (let i = 0; i < 539; i++) await ask(`overall-${i}`, `198.18.${i % 250}.${Math.floor(i / 250)}`)
  const before = service.host.calls.length
  const full = await ask('one-too-many', '198.18.0.0')
  expect(full.status).toBe(429)
  expect(Number(full.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(service.host.calls.length).toBe(before)
})
