import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakePull } from '../../../scripts/fakeHost/fakeRepository.ts'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { sha } from '../../../scripts/fakeHost/ids.ts'
import { renderPull } from '../../../scripts/fakeHost/renderPull.ts'
import { changed, pullsOf, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const { ingest, ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')
const { host } = service

test('reads a pull request again if it changes while it is read', async () => {
  const pull: FakePull = { number: 1, files: [changed('old')] }
  repositoryOf(service, 'one/moving', { pulls: [pull] })
  host.fail({
    path: /moving\/pulls\/1\/files/,
    act: (request, response) => {
      pull.head = sha('pushed meanwhile')
      pull.files = [changed('new')]
      pull.updatedAt = '2026-03-01T00:00:00Z'
      faults.status(200, {}, [
        { ...changed('old'), status: 'modified', additions: 1, deletions: 1, sha: null },
      ] as never)(request, response)
    },
  })
  expect(await ingested('one/moving#1', token)).toMatchObject({ headSha: pull.head, files: [{ path: 'new' }] })
})

test('gives up after three attempts if a pull request keeps changing, and keeps the previous state', async () => {
  const pull: FakePull = { number: 1, files: [changed('old')] }
  repositoryOf(service, 'one/restless', { pulls: [pull] })
  const before = await ingested('one/restless#1', token)
  Object.assign(pull, { head: sha('0'), updatedAt: '2026-03-01T00:00:00Z' })
  let pushes = 0
  host.fail({
    path: /restless\/pulls\/1\/reviews/,
    times: 50,
    act: (request, response) => {
      pushes += 1
      pull.head = sha(String(pushes))
      pull.updatedAt = new Date(Date.UTC(2026, 3, pushes)).toISOString()
      faults.status(200, {}, [] as never)(request, response)
    },
  })
  expect((await ingest('one/restless#1', token)).status).toBe(502)
  expect(pushes).toBe(3)
  expect((await get('one/restless#1')).body.data).toEqual(before)
})

test('keeps the previous state if a fetch fails midway', async () => {
  const pull: FakePull = { number: 1, title: 'Before', files: [changed('old')] }
  repositoryOf(service, 'one/failing', { pulls: [pull] })
  const before = await ingested('one/failing#1', token)
  Object.assign(pull, { title: 'After', head: sha('x'), files: [changed('new')], updatedAt: '2026-03-01T00:00:00Z' })
  host.fail({ path: /failing\/pulls\/1\/files/, times: 9, act: faults.status(500) })
  expect((await ingest('one/failing#1', token)).body.error.code).toBe('HOST_UNAVAILABLE')
  expect((await get('one/failing#1')).body.data).toEqual(before)
  host.heal()
  expect(await ingested('one/failing#1', token)).toMatchObject({ title: 'After', files: [{ path: 'new' }] })
})

test('of two changes within one second, keeps the later one even if its response arrives first', async () => {
  const pull: FakePull = { number: 1, title: 'first', files: [changed('a')] }
  const repository = repositoryOf(service, 'one/second', { pulls: [pull] })
  await ingested('one/second#1', token)
  const other = await service.signedUp('other')
  pull.title = 'second'
  const seen = renderPull(repository, pull)
  host.fail({
    path: /second\/pulls\/1$/,
    act: (request, response) => {
      setTimeout(() => faults.status(200, {}, seen as never)(request, response), 300)
    },
  })
  const slow = ingest('one/second#1', token)
  await expect.poll(() => host.calls.at(-1)?.path).toBe('/repos/one/second/pulls/1')
  pull.title = 'third'
  await ingested('one/second#1', other)
  await slow
  expect((await get('one/second#1')).body.data.title).toBe('third')
})
