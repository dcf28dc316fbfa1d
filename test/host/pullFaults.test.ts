import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Fault, faults } from '../../scripts/fakeHost/faults.ts'
import { startFakeIssuer } from '../support/fakeIssuer.ts'
import { changed, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const { host } = service
const token = await service.signedUp('hanako')
let lastNumber = 0

/** Ingests a new pull request while the host fails for one of its parts. */
async function ingestDuring(part: string, fault: Omit<Fault, 'path'>, callerToken = token) {
  lastNumber += 1
  const name = `acme/f${lastNumber}`
  repositoryOf(service, name, { pulls: [{ number: 1, files: [changed('a.txt')] }] })
  host.fail({ path: new RegExp(`${name}/pulls/1${part}$`), ...fault })
  return outcomeOf(name, callerToken)
}

async function outcomeOf(name: string, callerToken = token) {
  const before = host.calls.length
  const started = performance.now()
  const { status, body, headers } = await pullsOf(service).ingest(`${name}#1`, callerToken)
  const calls = host.calls.slice(before).filter((call) => call.path.includes(`/${name}/`))
  return {
    name,
    status,
    code: body.error?.code,
    details: body.error?.details,
    retryAfter: Number(headers.get('retry-after')),
    calls: calls.length,
    milliseconds: performance.now() - started,
  }
}

/** The calls for one pull request: description, files, diff, commits, reviews, and the final check for changes. */
const ALL_CALLS = 6

test('a small pull request takes six calls to the host', async () => {
  expect(await ingestDuring('/nothing', { act: faults.hang })).toMatchObject({ status: 200, calls: ALL_CALLS })
})

test.each([
  ['one 500', faults.status(500)],
  ['one 502', faults.status(502)],
  ['one reset', faults.reset],
])('retries after %s in any part of a pull request', async (_, act) => {
  for (const part of ['', '/files', '/commits', '/reviews'])
    expect(await ingestDuring(part, { act })).toMatchObject({ status: 200, calls: ALL_CALLS + 1 })
})

test.each([
  ['repeated 500', faults.status(500), 2],
  ['repeated 502', faults.status(502), 2],
  ['repeated resets', faults.reset, 2],
  ['truncated JSON', faults.cutJson, 1],
  ['an unexpected shape', faults.status(200, {}, { message: 'hello' }), 1],
  ['an unexpected status', faults.status(418), 1],
])('returns 502 after %s from the host for the description or the files', async (_, act, calls) => {
  const atOnce = await ingestDuring('', { act, times: 9 })
  expect(atOnce).toMatchObject({ status: 502, code: 'HOST_UNAVAILABLE', calls })
  expect(atOnce.milliseconds).toBeLessThan(5000)
  const midway = await ingestDuring('/files', { act, times: 9 })
  expect(midway).toMatchObject({ status: 502, code: 'HOST_UNAVAILABLE' })
  expect(midway.calls).toBeLessThanOrEqual(ALL_CALLS)
  expect(midway.milliseconds).toBeLessThan(5000)
})

test('gives up within 15 seconds in total if the host hangs or sends a response byte by byte', async () => {
  const timers: NodeJS.Timeout[] = []
  const drip: Fault['act'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    timers.push(setInterval(() => response.write(' '), 100))
  }
  const late: Fault['act'] = (_, response) => void setTimeout(() => response.socket?.destroy(), 5500)
  const outcomes = await Promise.all([
    ingestDuring('', { act: faults.hang, times: 9 }),
    ingestDuring('/files', { act: faults.hang, times: 9 }),
    ingestDuring('/reviews', { act: drip, times: 9 }),
    (async () => {
      host.fail({ path: /acme\/f\d+\/pulls\/1$/, times: 1, act: late })
      return ingestDuring('/files', { act: faults.hang, times: 9 })
    })(),
  ])
  timers.forEach(clearInterval)
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 502, code: 'HOST_UNAVAILABLE' })
    expect(outcome.milliseconds).toBeLessThan(15_500)
  }
})

test.each([
  ['primary', () => faults.status(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(90) }), 90],
  ['secondary', () => faults.status(403, { 'retry-after': '30' }, { message: 'secondary rate limit' }), 30],
  ['plain 429', () => faults.status(429), 60],
])('returns 429 for a %s rate limit, and then pauses calls with this token', async (login, limit, seconds) => {
  const callerToken = await service.signedUp(login.replace(' ', '-'))
  const limited = await ingestDuring('/files', { act: limit() }, callerToken)
  expect(limited).toMatchObject({ status: 429, code: 'RATE_LIMITED', details: { by: 'host' } })
  expect(limited.retryAfter).toBeGreaterThan(seconds - 5)
  expect(limited.retryAfter).toBeLessThanOrEqual(seconds + 1)
  expect(limited.milliseconds).toBeLessThan(5000)
  expect(await outcomeOf(limited.name, callerToken)).toMatchObject({ status: 429, calls: 0 })
  expect(await outcomeOf(limited.name)).toMatchObject({ status: 200, calls: ALL_CALLS })
  service.advance((seconds + 2) * 1000)
  expect(await outcomeOf(limited.name, callerToken)).toMatchObject({ status: 200, calls: 1 })
  service.advance(-(seconds + 2) * 1000)
})

function inSeconds(seconds: number): string {
  return String(Math.floor(service.ctx.now().getTime() / 1000) + seconds)
}

test('returns 401 and stores nothing if the host rejects the token during a fetch', async () => {
  const callerToken = await service.signedUp('withdrawn')
  const outcome = await ingestDuring('/files', { act: faults.status(401) }, callerToken)
  expect(outcome).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  expect((await pullsOf(service).get(`${outcome.name}#1`)).status).toBe(404)
})

test('marks a saved token as invalid once the host rejects it during a fetch, until the user replaces it', async () => {
  const issuer = await startFakeIssuer()
  const withJwt = await startService({ issuer })
  const bearer = await issuer.token({ sub: 'hanako' })
  const saved = withJwt.host.token('hanako')
  await withJwt.call('signUp', { token: bearer, body: { hostAccessToken: saved } })
  repositoryOf(withJwt, 'acme/saved', { pulls: [{ number: 1, files: [changed('a')] }] })
  const { ingest } = pullsOf(withJwt)
  withJwt.host.fail({ path: /files/, act: faults.status(401) })
  const refused = async () => expect((await ingest('acme/saved#1', bearer)).body.error.code).toBe('HOST_TOKEN_INVALID')
  await refused()
  // Calls that were sent before the rejection may still reach the host.
  await sleep(200)
  expect((await withJwt.host.during(refused)).count).toBe(0)
  await withJwt.call('saveHostToken', { token: bearer, body: { hostAccessToken: withJwt.host.token('hanako') } })
  expect((await ingest('acme/saved#1', bearer)).status).toBe(200)
  await withJwt.close()
  await issuer.close()
})

test('sends no request or token to another host on a redirect', async () => {
  const visits: (string | undefined)[] = []
  const elsewhere = createServer((request, response) => {
    visits.push(request.headers.authorization)
    response.end('[]')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const away = faults.redirect(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
  for (const part of ['', '/files', '/reviews'])
    expect(await ingestDuring(part, { act: away, times: 9 })).toMatchObject({ status: 502, code: 'HOST_UNAVAILABLE' })
  expect(visits).toEqual([])
  elsewhere.close()
})

test('if the host cannot return the diff, builds it from the patches of the files', async () => {
  const outcome = await ingestDuring('', { accept: /diff/, act: faults.status(500), times: 9 })
  expect(outcome).toMatchObject({ status: 200, calls: ALL_CALLS + 1 })
  const { body } = await pullsOf(service).get(`${outcome.name}#1`)
  expect(body.data.diff).toBe(
    'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old a.txt\n+new a.txt\n',
  )
})
