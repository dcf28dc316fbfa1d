import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { favoritesOf } from '../support/favorites.ts'
import { repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())
const { favorite } = favoritesOf(service)

const PATH = '/search/repositories'
const search = (token: string | undefined, q: string, query = {}) =>
  service.call('searchHostRepositories', { token, query: { q, ...query } })
async function names(token: string, q: string, query = {}): Promise<string[]> {
  const { status, body } = await search(token, q, query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.data.map(({ repositoryFullName }: { repositoryFullName: string }) => repositoryFullName)
}

test('finds repositories and says which are favorites', async () => {
  const { id } = repositoryOf(service, 'acme/kettle', { description: 'Boils water.', stars: 12 })
  repositoryOf(service, 'acme/kettle-docs')
  const token = await service.signedUp('cook')
  await favorite(token, 'acme/kettle')
  const { body } = await search(token, 'kettle')
  expect(body.data).toEqual({
    data: [
      {
        ...{ hostRepoId: id, repositoryFullName: 'acme/kettle', owner: 'acme', repo: 'kettle' },
        url: `${service.url}/read/repos/acme/kettle`,
        ...{ description: 'Boils water.', private: false, starCount: 12, favorite: true },
      },
      expect.objectContaining({ repo: 'kettle-docs', description: null, starCount: 0, favorite: false }),
    ],
    pagination: { limit: 10, nextCursor: null },
    isIncomplete: false,
  })
  expect(await names(token, 'kettle', { limit: 1 })).toEqual(['acme/kettle'])
  expect(await names(token, 'no such thing')).toEqual([])
  for (const query of [{ q: '' }, { q: ' ' }, { q: 'x'.repeat(201) }, { limit: 31 }, { limit: 0 }, { offset: 1 }])
    expect((await search(token, 'kettle', query)).status).toBe(400)
  expect((await service.call('searchHostRepositories', { token })).status).toBe(400)
})

test('calls the code host at most once a minute for each session and query', async () => {
  const repository = repositoryOf(service, 'acme/clock')
  const token = await service.signedUp('punctual')
  const calls = async (work: () => Promise<unknown>) => (await service.host.during(work)).count
  expect(await calls(() => names(token, 'clock'))).toBe(1)
  expect(await calls(() => names(token, ' clock ', { limit: 5 }))).toBe(0)
  await favorite(token, 'acme/clock')
  const { body } = await search(token, 'clock')
  expect(body.data.data).toMatchObject([{ favorite: true }])
  expect(await calls(() => names(token, 'clocks'))).toBe(1)
  repository.name = 'watch'
  service.advance(61_000)
  expect(await names(token, 'clock')).toEqual([])
})

test('shows private repositories only to the token that the code host shows them to', async () => {
  repositoryOf(service, 'acme/secret-sauce', { private: true, members: ['chef'] })
  const chef = await service.signedUp('chef')
  const guest = await service.signedUp('guest')
  expect(await names(chef, 'sauce')).toEqual(['acme/secret-sauce'])
  expect(await names(guest, 'sauce')).toEqual([])
  const weak = service.host.token('chef')
  service.host.fail({
    path: /search/,
    act: faults.status(200, {}, { items: [], incomplete_results: true } as never),
  })
  const { body } = await search(weak, 'sauce')
  expect(body.data).toMatchObject({ data: [], isIncomplete: true })
  expect(await names(chef, 'sauce')).toEqual(['acme/secret-sauce'])
})

test.each([
  ['an outage', faults.status(500), 502, 'HOST_UNAVAILABLE'],
  ['invalid JSON', faults.cutJson, 502, 'HOST_UNAVAILABLE'],
  ['a result that is not valid', faults.status(200, {}, { items: [null] } as never), 502, 'HOST_UNAVAILABLE'],
  ['a rejected query', faults.status(422), 400, 'VALIDATION_ERROR'],
  ['a refused token', faults.status(401), 401, 'UNAUTHENTICATED'],
])('returns an error for %s', async (name, act, status, code) => {
  const token = await service.signedUp(`unlucky-${name.replaceAll(' ', '-')}`)
  service.host.fail({ path: /search/, times: 2, act })
  const { body, ...answer } = await search(token, 'kettle')
  expect([answer.status, body.error.code]).toEqual([status, code])
})

test('leaves out a result without an owner', async () => {
  const token = await service.signedUp('orphan')
  const hit = (id: number, owner: object | null) => ({ id, name: `r${id}`, private: false, owner, stargazers_count: 0 })
  const items = [hit(901, null), hit(902, { login: 'acme' })]
  service.host.fail({ path: /search/, act: faults.status(200, {}, { items } as never) })
  const { status, body } = await search(token, 'orphaned')
  expect([status, body.data.data.map((found: { hostRepoId: number }) => found.hostRepoId)]).toEqual([200, [902]])
})

test('if the code host rate-limits searches, pauses searches but no other calls', async () => {
  const token = await service.signedUp('curious')
  const reset = String(Math.ceil(service.ctx.now().getTime() / 1000) + 40)
  const limited = faults.status(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })
  service.host.fail({ path: /search/, act: limited })
  const { status, body, headers } = await search(token, 'kettle')
  expect([status, body.error.details]).toEqual([429, { by: 'host' }])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(30)
  const before = service.host.callsTo(PATH)
  expect((await search(token, 'other')).status).toBe(429)
  expect(service.host.callsTo(PATH)).toBe(before)
  await favorite(token, 'acme/kettle')
  service.advance(41_000)
  expect((await search(token, 'kettle')).status).toBe(200)
})
