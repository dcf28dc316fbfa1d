import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const { ingest, ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')
const { host } = service

test('returns the stored pull request to anyone without calling the host', async () => {
  repositoryOf(service, 'acme/shop', { pulls: [{ number: 1 }] })
  const stored = await ingested('acme/shop#1', token)
  const calls = await host.during(async () => {
    expect((await get('acme/shop#1')).body.data).toEqual(stored)
    expect((await get('Acme/SHOP#1', token)).body.data).toEqual(stored)
  })
  expect(calls.count).toBe(0)
  expect((await get('acme/shop#2')).body.error.code).toBe('PULL_REQUEST_NOT_FOUND')
  expect((await get('acme/unheard-of#1')).body.error.code).toBe('HOST_REPO_NOT_FOUND')
})

test('a stored pull request stays readable while the host is down', async () => {
  repositoryOf(service, 'acme/lasting', { pulls: [{ number: 1 }] })
  const stored = await ingested('acme/lasting#1', token)
  service.advance(61 * 60_000)
  host.fail({ path: /./, times: 1000, act: faults.reset })
  expect((await get('acme/lasting#1')).body.data).toEqual(stored)
  expect((await get('acme/lasting#1', token)).body.data).toEqual(stored)
  expect((await ingest('acme/lasting#1', token)).body.error.code).toBe('HOST_UNAVAILABLE')
})

test('refresh calls the host and reads the conversation again', async () => {
  const comment = { author: 'rin', body: 'Frist', at: '2026-01-01T00:00:00Z' }
  const pull: FakePull = { number: 1, comments: [comment] }
  repositoryOf(service, 'acme/edited', { pulls: [pull] })
  const before = await ingested('acme/edited#1', token)
  comment.body = 'First'
  expect(await ingested('acme/edited#1', token)).toEqual(before)
  const { status, body } = await get('acme/edited#1', token, { refresh: 'true' })
  expect([status, body.data.comments[0].body]).toEqual([200, 'First'])
  expect((await get('acme/edited#1')).body.data.comments[0].body).toBe('First')
  const unchanged = await get('acme/edited#1', token, { refresh: 'true' })
  expect(unchanged.body.data).toEqual(body.data)
})

test('refresh fetches a pull request that is not stored yet', async () => {
  repositoryOf(service, 'acme/fresh', { pulls: [{ number: 1 }] })
  expect((await get('acme/fresh#1', token)).body.error.code).toBe('PULL_REQUEST_NOT_FOUND')
  expect((await get('acme/fresh#1', token, { refresh: 'true' })).status).toBe(200)
  expect((await get('acme/fresh#1')).status).toBe(200)
})

test('refresh requires an account; reading does not', async () => {
  repositoryOf(service, 'acme/open', { pulls: [{ number: 1 }] })
  await ingested('acme/open#1', token)
  expect((await get('acme/open#1', undefined, { refresh: 'true' })).status).toBe(401)
  const newcomer = host.token('newcomer')
  expect((await get('acme/open#1', newcomer)).status).toBe(200)
  expect((await get('acme/open#1', newcomer, { refresh: 'true' })).body.error.code).toBe('USER_NOT_FOUND')
  expect((await get('acme/open#1', 'garbage')).status).toBe(401)
})

test('shows a private pull request only if the host confirmed access in the last five minutes', async () => {
  const vault = repositoryOf(service, 'acme/vault', {
    private: true,
    members: ['hanako', 'rin'],
    pulls: [{ number: 1 }],
  })
  await ingested('acme/vault#1', token)
  expect(await host.during(() => get('acme/vault#1', token))).toMatchObject({ count: 0 })
  const rin = await service.signedUp('rin')
  expect((await get('acme/vault#1', rin)).status).toBe(200)
  expect((await get('acme/vault#1')).status).toBe(404)
  service.advance(6 * 60_000)
  expect((await get('acme/vault#1', rin)).status).toBe(200)
  vault.members = ['hanako']
  service.advance(6 * 60_000)
  expect((await get('acme/vault#1', rin)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
  host.fail({ path: /./, times: 1000, act: faults.status(500) })
  expect((await get('acme/vault#1', token)).body.error.code).toBe('HOST_UNAVAILABLE')
})

test('returns a large pull request in full on GET, and its Content-Length on HEAD', async () => {
  const patch = `@@ -0,0 +1,4000 @@\n${'+a line of a file that was added\n'.repeat(4000)}`.trimEnd()
  const files = [{ filename: 'a.txt', status: 'added', additions: 4000, deletions: 0, patch }]
  repositoryOf(service, 'acme/large', { pulls: [{ number: 1, files }] })
  const stored = await ingested('acme/large#1', token)
  expect(stored.diff).toContain(patch)
  const head = await fetch(`${service.url}/repos/acme/large/pulls/1`, { method: 'HEAD' })
  const body = await fetch(`${service.url}/repos/acme/large/pulls/1`)
  expect(head.headers.get('content-length')).toBe(String((await body.arrayBuffer()).byteLength))
})
