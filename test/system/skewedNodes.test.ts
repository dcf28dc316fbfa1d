import { afterAll, describe, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { MAX_CLOCK_ERROR_MS } from '../../src/lib/clock.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { startFakeIssuer } from '../support/fakeIssuer.ts'
import { behaves, startFakeModel } from '../support/fakeModel.ts'
import { pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

// In these tests, nodes whose machines have wrong clocks must behave like one node.

const SECONDS = 1000
const MINUTES = 60 * SECONDS
const model = await startFakeModel()
afterAll(() => model.close())

describe.each([90 * SECONDS, -90 * SECONDS])('two nodes whose machine clocks differ by %d ms', async (skewMs) => {
  const service = await startService({ env: model.env })
  const { host } = service
  const skewed = await startService({ env: model.env, skewMs, beside: service })
  const nodes = [service, skewed]
  afterAll(async () => {
    await skewed.close()
    await service.close()
  })
  const token = await service.signedUp('member')
  const advance = (milliseconds: number) => {
    for (const node of nodes) node.advance(milliseconds)
  }

  test('use the same time', () => {
    const [one, other] = nodes.map(({ ctx }) => ctx.now().getTime())
    expect(Math.abs(Number(one) - Number(other))).toBeLessThan(MAX_CLOCK_ERROR_MS)
  })

  test.each(['reads', 'writes'])('reuse a visibility check for five minutes if the skewed node %s it', async (does) => {
    const [reader, writer] = does === 'reads' ? [skewed, service] : [service, skewed]
    repositoryOf(service, `skewed/${does}`, { private: true, members: ['member'], pulls: [{ number: 1 }] })
    const checks = async () =>
      (await host.during(() => pullsOf(reader).get(`skewed/${does}#1`, token))).to(/^\/repos\/[^/]+\/[^/]+$/)
    await pullsOf(writer).ingested(`skewed/${does}#1`, token)
    expect(await checks()).toBe(0)
    advance(4 * MINUTES)
    expect(await checks()).toBe(0)
    advance(MINUTES + MAX_CLOCK_ERROR_MS)
    expect(await checks()).toBe(1)
  })

  test('reuse a list for a minute', async () => {
    const pulls: FakePull[] = [{ number: 1, state: 'open' }]
    repositoryOf(service, 'skewed/list', { pulls })
    const params = { owner: 'skewed', repo: 'list' }
    const fetches = async (node: typeof service) =>
      (await host.during(() => node.call('listPullRequests', { token, params }))).to(/\/pulls$/)
    expect(await fetches(skewed)).toBe(1)
    expect(await fetches(service)).toBe(0)
    advance(MINUTES + MAX_CLOCK_ERROR_MS)
    expect(await fetches(service)).toBe(1)
    expect(await fetches(skewed)).toBe(0)
  })

  test('verify a session again after ten minutes', async () => {
    const revoked = await skewed.signedUp('revoked')
    host.revoke(revoked)
    const status = async () => (await service.call('getCurrentUser', { token: revoked })).status
    advance(9 * MINUTES)
    expect(await status()).toBe(200)
    advance(MINUTES + MAX_CLOCK_ERROR_MS)
    expect(await status()).toBe(401)
  })

  test('open the circuit breaker for the same time', async () => {
    const generate = (node: typeof service) => articlesOf(node).generate(aPull(service), token)
    // This opens the circuit breaker at once, and for longer than the test takes on a busy machine.
    model.always(behaves.status(503, { 'retry-after': '300' }))
    expect((await generate(skewed)).body.error.code).toBe('MODEL_UNAVAILABLE')
    model.always(undefined)
    for (const node of nodes) {
      const { status, headers } = await generate(node)
      expect(status).toBe(502)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(220)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(301)
    }
    advance(5 * MINUTES + MAX_CLOCK_ERROR_MS)
    expect((await generate(service)).status).toBe(200)
  })
})

test('rejects an expired token on a machine whose clock is behind', async () => {
  const issuer = await startFakeIssuer()
  const slow = await startService({ issuer, skewMs: -90 * SECONDS })
  const tokenFor = (seconds: number) => issuer.token({ sub: 'reader', exp: Math.floor(Date.now() / SECONDS) + seconds })
  const statusFor = async (seconds: number) =>
    (await slow.call('getCurrentUser', { token: await tokenFor(seconds) })).status
  // 404, because the token is accepted but its user has no account.
  expect(await statusFor(60)).toBe(404)
  expect(await statusFor(-30)).toBe(401)
  await slow.close()
  await issuer.close()
})
