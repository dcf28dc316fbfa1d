import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakePull } from '../../../scripts/fakeHost/fakeRepository.ts'
import { type Fault, faults } from '../../../scripts/fakeHost/faults.ts'
import { renderPull } from '../../../scripts/fakeHost/renderPull.ts'
import { articlesOf } from '../../support/articles.ts'
import { favoritesOf } from '../../support/favorites.ts'
import { changed, pullsOf, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

/** In these tests, repositories become private or public during or between reads. */
const MINUTES = 60_000
const DAY_MINUTES = 24 * 60
const issued = 'service-token-0123456789abcdef'
const service = await startService({ env: { CODE_HOST_TOKEN: issued } })
const { host } = service
host.admit(issued, 'service')
afterAll(() => service.close())
afterEach(() => host.heal())

const { ingest, ingested, get } = pullsOf(service)
const { favorite } = favoritesOf(service)
const member = await service.signedUp('member')
const stranger = await service.signedUp('stranger')

function list(name: string, token: string, query: Record<string, string> = {}) {
  const [owner = '', repo = ''] = name.split('/')
  return service.call('listPullRequests', { token, params: { owner, repo }, query })
}

const secret: Partial<FakePull> = {
  title: 'SECRET-TITLE',
  comments: [{ author: 'x', body: 'SECRET-COMMENT', at: '2026-01-01T00:00:00Z' }],
}

test('once a private repository becomes public, hides the data fetched before', async () => {
  const pull: FakePull = { number: 1, state: 'open', ...secret }
  const repository = repositoryOf(service, 'turn/opened', { private: true, members: ['member'], pulls: [pull] })
  await ingested('turn/opened#1', member)
  await list('turn/opened', member)
  Object.assign(pull, { title: 'Clean', comments: [] })
  repository.private = false
  service.advance(10 * MINUTES)
  await favorite(stranger, 'turn/opened')
  host.fail({ path: /\/pulls$/, times: 9, act: faults.hang })
  const feed = await service.call('getFeed', { token: stranger })
  expect(JSON.stringify(feed.body)).not.toContain('SECRET')
  host.heal()
  expect((await get('turn/opened#1')).body.error.code).toBe('PULL_REQUEST_NOT_FOUND')
  const opened = await ingested('turn/opened#1', stranger)
  expect([opened.title, opened.comments]).toEqual(['Clean', []])
  expect((await get('turn/opened#1')).body.data).toEqual(opened)
})

test('stores data as private if the repository becomes private during the fetch', async () => {
  const pull: FakePull = { number: 1, title: 'Open', files: [changed('a')] }
  const repository = repositoryOf(service, 'turn/midway', { pulls: [pull] })
  host.fail({
    path: /midway\/pulls\/1\/reviews/,
    act: (request, response) => {
      Object.assign(repository, { private: true, members: ['member'] })
      Object.assign(pull, secret, { updatedAt: '2026-05-01T00:00:00Z' })
      faults.status(200, {}, [] as never)(request, response)
    },
  })
  expect((await ingested('turn/midway#1', member)).title).toBe('SECRET-TITLE')
  expect((await get('turn/midway#1')).status).toBe(404)
  expect((await get('turn/midway#1', stranger)).status).toBe(404)
})

test('if a late response says private and a newer one says public, the repository is hidden', async () => {
  const pull: FakePull = { number: 1, ...secret }
  const repository = repositoryOf(service, 'turn/crossed', { pulls: [pull] })
  const late: Fault['act'] = (_, response) => {
    const answer = renderPull({ ...repository, private: true }, pull)
    setTimeout(() => faults.status(200, {}, answer as never)(_, response), 600)
  }
  host.fail({ path: /crossed\/pulls\/1$/, act: late })
  const slow = ingest('turn/crossed#1', member)
  await expect.poll(() => host.callsTo('/repos/turn/crossed/pulls/1')).toBe(1)
  service.advance(10)
  await list('turn/crossed', stranger)
  Object.assign(repository, { private: true, members: ['member'] })
  expect((await slow).status).toBe(200)
  expect((await get('turn/crossed#1')).status).toBe(404)
})

test('an empty list of pull requests for one user does not prove to other users that the repository is public', async () => {
  const repository = repositoryOf(service, 'turn/empty', { pulls: [{ number: 1, state: 'closed' }] })
  expect((await list('turn/empty', member)).status).toBe(200)
  Object.assign(repository, { private: true, members: ['member'] })
  for (let i = 0; i < 3; i++) {
    service.advance(6 * MINUTES)
    expect((await list('turn/empty', member)).status).toBe(200)
    expect((await list('turn/empty', stranger)).status).toBe(404)
  }
})

test('a reused name refers to the new repository', async () => {
  const renamed = repositoryOf(service, 'turn/name', { pulls: [] })
  expect((await list('turn/name', member)).status).toBe(200)
  renamed.name = 'elsewhere'
  repositoryOf(service, 'turn/name', { pulls: [{ number: 7 }] })
  service.advance(6 * MINUTES)
  const { body } = await list('turn/name', member, { state: 'all' })
  expect(body.data.data).toMatchObject([{ prNumber: 7 }])
})

test('a member keeps access each time the list of pull requests is read again, even if the list is unchanged', async () => {
  repositoryOf(service, 'turn/steady', { private: true, members: ['member'], pulls: [{ number: 1, state: 'open' }] })
  expect((await list('turn/steady', member)).status).toBe(200)
  for (let i = 0; i < 8; i++) {
    service.advance(61_000)
    expect((await list('turn/steady', member)).status).toBe(200)
  }
})

test('checks visibility anonymously if the host rejects the service token', async () => {
  const repository = repositoryOf(service, 'turn/dead', { pulls: [{ number: 1 }] })
  await ingested('turn/dead#1', member)
  Object.assign(repository, { private: true, members: ['member'] })
  host.revoke(issued)
  service.advance(6 * MINUTES)
  expect((await get('turn/dead#1')).status).toBe(404)
  host.admit(issued, 'service')
})

test('a public repository stays readable for seven days while rate limits prevent visibility checks', async () => {
  const { id } = repositoryOf(service, 'turn/limited', { pulls: [{ number: 1 }] })
  await ingested('turn/limited#1', member)
  const readWhileLimited = async () => {
    host.fail({ path: new RegExp(`^/repositories/${id}$`), act: faults.status(429, { 'retry-after': '30' }) })
    return (await get('turn/limited#1')).status
  }
  for (const minutes of [6, 61, 6 * DAY_MINUTES]) {
    service.advance(minutes * MINUTES)
    expect(await readWhileLimited()).toBe(200)
  }
  service.advance(DAY_MINUTES * MINUTES)
  expect(await readWhileLimited()).toBe(404)
  service.advance(2 * MINUTES)
  expect((await get('turn/limited#1')).status).toBe(200)
})

test('a 404 from the host hides the repository from then on', async () => {
  const vault = repositoryOf(service, 'turn/vault', { private: true, members: ['member'], pulls: [{ number: 1 }] })
  const open = repositoryOf(service, 'turn/open', { pulls: [{ number: 1 }] })
  await ingested('turn/vault#1', member)
  await ingested('turn/open#1', member)
  vault.members = []
  Object.assign(open, { private: true, members: [] })
  for (const place of ['turn/vault#1', 'turn/open#1']) {
    expect((await ingest(place, member)).status).toBe(404)
    expect((await get(place, member)).status).toBe(404)
  }
  await expect.poll(async () => (await get('turn/open#1')).status).toBe(404)
})

/** A comment in the format of the host, written while the repository was private. */
const privateComments = [{ user: { login: 'x' }, body: 'SECRET-COMMENT', created_at: '2026-01-01T00:00:00Z' }]

test('does not store data as public if the repository becomes private during the last attempt to fetch it', async () => {
  const pull: FakePull = { number: 1, comments: [{ author: 'x', body: 'open', at: '2026-01-01T00:00:00Z' }] }
  const repository = repositoryOf(service, 'turn/last', { pulls: [pull] })
  let round = 0
  host.fail({
    path: /last\/issues\/1\/comments/,
    times: 9,
    act: (request, response) => {
      round += 1
      pull.updatedAt = `2026-02-0${round}T00:00:00Z`
      if (round === 3) Object.assign(repository, { private: true, members: ['member'] })
      faults.status(200, {}, privateComments as never)(request, response)
    },
  })
  await ingest('turn/last#1', member)
  expect(round).toBe(3)
  expect((await get('turn/last#1')).status).toBe(404)
})

test('fetches everything again if the repository becomes public during the fetch', async () => {
  const pull: FakePull = { number: 1, comments: [{ author: 'x', body: 'clean', at: '2026-01-01T00:00:00Z' }] }
  const repository = repositoryOf(service, 'turn/opening', { private: true, members: ['member'], pulls: [pull] })
  host.fail({
    path: /opening\/issues\/1\/comments/,
    act: (request, response) => {
      repository.private = false
      faults.status(200, {}, privateComments as never)(request, response)
    },
  })
  expect((await ingested('turn/opening#1', member)).comments).toMatchObject([{ body: 'clean' }])
  expect((await get('turn/opening#1')).body.data.comments).toMatchObject([{ body: 'clean' }])
})

test('hides a repository an hour after its last visibility check if the responses to new checks are unusable', async () => {
  const { id } = repositoryOf(service, 'turn/refused', { pulls: [{ number: 1 }] })
  await ingested('turn/refused#1', member)
  // A request waits at most one second for the check, which may take longer on a slow machine.
  const shown = () => expect.poll(async () => (await get('turn/refused#1')).status)
  for (const refusal of [faults.status(418), faults.cutJson]) {
    service.advance(61 * MINUTES)
    host.fail({ path: new RegExp(`^/repositories/${id}$`), times: 9, act: refusal })
    await shown().toBe(404)
    host.heal()
    service.advance(2 * MINUTES)
    await shown().toBe(200)
  }
})

test('once a private repository becomes public, reads its empty list of pull requests again', async () => {
  const repository = repositoryOf(service, 'turn/hollow', { private: true, members: ['member'] })
  expect((await list('turn/hollow', member)).status).toBe(200)
  repository.private = false
  service.advance(6 * MINUTES)
  expect((await list('turn/hollow', member)).status).toBe(200)
})

test('public data replaces private data even if the public data has an earlier timestamp', async () => {
  const pull: FakePull = { number: 1, updatedAt: '2026-03-02T00:00:00Z' }
  const repository = repositoryOf(service, 'turn/back', { private: true, members: ['member'], pulls: [pull] })
  await ingested('turn/back#1', member)
  Object.assign(repository, { private: false })
  pull.updatedAt = '2026-03-01T00:00:00Z'
  expect((await ingest('turn/back#1', member)).status).toBe(200)
})

test('a search continues after a page that is empty because its only article is hidden', async () => {
  const numbers = [1, 2, 3]
  const pulls = numbers.map((number) => ({ number, title: `Quokka ${number}`, files: [changed('a.ts')] }))
  const repository = repositoryOf(service, 'turn/paged', { members: ['member'], pulls })
  for (const number of numbers) await articlesOf(service).generated(`turn/paged#${number}`, member)
  repository.private = true
  service.advance(10 * MINUTES)
  await ingested('turn/paged#3', member)
  repository.private = false
  service.advance(10 * MINUTES)
  expect((await get('turn/paged#1', stranger)).status).toBe(200)
  const found: number[][] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { q: 'quokka', limit: '1', ...(cursor !== null && { cursor }) }
    const { body } = await service.call('listArticles', { query })
    found.push(body.data.data.map(({ prNumber }: { prNumber: number }) => prNumber))
    cursor = body.data.pagination.nextCursor
  } while (cursor !== null)
  expect(found).toEqual([[], [2], [1]])
})
