import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { verifyDue } from '../../src/domain/repositories/verifyListed.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { favoritesOf } from '../support/favorites.ts'
import { paramsOf, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const MINUTES = 60_000
const HOURS = 60 * MINUTES
const DAYS = 24 * HOURS
const REPOSITORIES = 20
const AT_ONCE = 10
const issued = 'service-token-0123456789abcdef'
const authorizationUrl = 'https://host.example.com/orgs/acme/sso?authorization_request=A1'

const service = await startService({ env: { CODE_HOST_TOKEN: issued } })
const { host, ctx } = service
host.admit(issued, 'service')
afterAll(() => service.close())
afterEach(() => host.heal())

const token = await service.signedUp('hanako')
const { get, ingest, ingested } = pullsOf(service)
const logsOf = (text: string) => service.logged.filter((line) => line.includes(text))
const isAnonymous = (call: { authorization: string | undefined }) => call.authorization === undefined

/** Makes the host refuse anonymous requests: their rate limit is used up, or the host requires a token. */
const refuseAnonymous = (act = faults.status(429, { 'retry-after': '30' })) =>
  host.fail({
    path: /./,
    times: 1e6,
    act: (request, response) =>
      isAnonymous({ authorization: request.headers.authorization })
        ? act(request, response)
        : host.answer(request, response),
  })

async function listed(): Promise<Set<string>> {
  const names = new Set<string>()
  let cursor: string | undefined
  do {
    const { body } = await service.call('listArticles', { query: { limit: 100, ...(cursor && { cursor }) } })
    for (const { repositoryFullName } of body.data.data) names.add(repositoryFullName)
    cursor = body.data.pagination.nextCursor ?? undefined
  } while (cursor)
  return names
}

/** Creates repositories with an article each. Then their organization forbids all access tokens. */
async function forbiddenRepositories(count: number) {
  const places = Array.from({ length: count }, () => aPull(service))
  const repositories = host.repositories.slice(-count)
  for (let i = 0; i < count; i += AT_ONCE)
    await Promise.all(places.slice(i, i + AT_ONCE).map((place) => articlesOf(service).generated(place, token)))
  await ctx.indexing.catchUp()
  for (const repository of repositories) Object.assign(repository, { forbidsTokens: true, authorizationUrl })
  const names = places.map((place) => place.split('#')[0] ?? '')
  return { places, names, repositories }
}

test('public repositories stay listed if the host forbids all tokens, and are hidden once it blocks them', async () => {
  const { places, names, repositories } = await forbiddenRepositories(REPOSITORIES)
  for (let round = 0; round < 2; round++) {
    service.advance(21 * HOURS)
    for (let pass = 0; pass < REPOSITORIES / 5; pass++) {
      await verifyDue(ctx)
      service.advance(11 * MINUTES)
    }
    expect([...(await listed())].filter((name) => names.includes(name))).toHaveLength(REPOSITORIES)
  }
  const noted = logsOf('forbids a repository to CODE_HOST_TOKEN')
  for (const name of names) expect([name, noted.filter((line) => line.includes(`"${name}"`)).length]).toEqual([name, 1])
  expect(logsOf('Hid a repository')).toEqual([])

  const [place = ''] = places
  for (const { status, body } of [
    await ingest(place, token),
    await service.call('registerFavorite', { token, body: { ...paramsOf(place), number: undefined } }),
  ])
    expect([status, body.error.code, body.error.details]).toEqual([
      ...[403, 'FORBIDDEN'],
      { reason: 'host_forbids_token', authorizationUrl },
    ])

  for (const repository of repositories) Object.assign(repository, { isBlocked: true })
  service.advance(21 * HOURS)
  for (let pass = 0; pass < REPOSITORIES / 5; pass++) {
    await verifyDue(ctx)
    service.advance(11 * MINUTES)
  }
  expect([...(await listed())].filter((name) => names.includes(name))).toEqual([])
  expect((await ingest(place, token)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
}, 120_000)

test('once an hour, checks a repository that forbids tokens, first with the token, then without it', async () => {
  const { repositories, places } = await forbiddenRepositories(1)
  const [place = ''] = places
  const [{ id } = { id: 0 }] = repositories
  const callsAfter = async (milliseconds: number) => {
    service.advance(milliseconds)
    const before = host.calls.length
    expect((await get(place)).status).toBe(200)
    return host.calls.slice(before).map((call) => (isAnonymous(call) ? 'anonymous' : 'token'))
  }
  expect(await callsAfter(6 * MINUTES)).toEqual(['token', 'anonymous'])
  expect(await callsAfter(59 * MINUTES)).toEqual([])
  expect(await callsAfter(2 * MINUTES)).toEqual(['token', 'anonymous'])
  Object.assign(host.repositories.find((one) => one.id === id) ?? {}, { forbidsTokens: false })
  expect(await callsAfter(61 * MINUTES)).toEqual(['token'])
  expect(await callsAfter(6 * MINUTES)).toEqual(['token'])
})

test.each([
  ['the rate limit', faults.status(429, { 'retry-after': '30' })],
  ['a request for a token', faults.status(401)],
])('while %s prevents anonymous checks, a repository stays visible for at most seven days', async (_, act) => {
  const { places, names } = await forbiddenRepositories(1)
  const [place = '', name = ''] = [places[0], names[0]]
  refuseAnonymous(act)
  for (let day = 0; day < 6; day++) {
    service.advance(1 * DAYS)
    await verifyDue(ctx)
    expect((await get(place)).status).toBe(200)
    expect((await listed()).has(name)).toBe(true)
  }
  const before = logsOf('Hid a repository').length
  service.advance(1 * DAYS)
  expect((await get(place)).status).toBe(404)
  expect(logsOf('Hid a repository')).toHaveLength(before + 1)
  host.heal()
  service.advance(2 * MINUTES)
  expect((await get(place)).status).toBe(200)
})

test.each([
  ['a check an hour later', 61 * MINUTES],
  ['a check soon after a refused one', 2 * MINUTES],
])(
  '%s with the token hides a repository that became private, even if anonymous checks are refused',
  async (_, later) => {
    const { places, repositories } = await forbiddenRepositories(1)
    const [place = ''] = places
    const [repository = {}] = repositories
    service.advance(6 * MINUTES)
    expect((await get(place)).status).toBe(200)
    refuseAnonymous()
    service.advance(61 * MINUTES)
    expect((await get(place)).status).toBe(200)
    Object.assign(repository, { forbidsTokens: false, private: true, members: ['hanako'] })
    service.advance(later)
    expect((await get(place)).status).toBe(404)
  },
)

test('a user whose token is forbidden still sees the favorite, and the feed says why its pull requests are missing', async () => {
  const { favorite, names } = favoritesOf(service)
  const { id } = repositoryOf(service, 'acme/followed', { pulls: [{ number: 1 }] })
  const reader = await service.signedUp('reader')
  await favorite(reader, 'acme/followed')
  Object.assign(host.repositories.at(-1) ?? {}, { forbidsTokens: true })
  service.advance(6 * MINUTES)
  expect(await names(reader)).toEqual(['acme/followed'])
  const calls = await host.during(() => names(reader))
  expect(calls.to(new RegExp(`^/repositories/${id}$`))).toBe(0)
  const { body } = await service.call('getFeed', { token: reader })
  expect(body.data.unavailable).toMatchObject([{ repositoryFullName: 'acme/followed', code: 'FORBIDDEN' }])
  const list = await service.call('listPullRequests', { token: reader, params: { owner: 'acme', repo: 'followed' } })
  expect([list.status, list.body.error.details]).toEqual([403, { reason: 'host_forbids_token' }])
})

test('articles about stored pull requests are written even if the host forbids the token', async () => {
  const place = aPull(service)
  await ingested(place, token)
  Object.assign(host.repositories.at(-1) ?? {}, { forbidsTokens: true })
  service.advance(6 * MINUTES)
  await articlesOf(service).generated(place, token)
})

test('for unknown repositories, returns FORBIDDEN 30 times an hour at most: each takes an anonymous call', async () => {
  service.advance(1 * HOURS)
  const [owner, count] = ['unknown', 40]
  for (let i = 0; i < count; i++)
    repositoryOf(service, `${owner}/r${i}`, { forbidsTokens: true, pulls: [{ number: 1 }] })
  const codes = new Map<string, number>()
  const before = host.calls.length
  for (let i = 0; i < count; i++) {
    const { body } = await ingest(`${owner}/r${i}#1`, token)
    codes.set(body.error.code, (codes.get(body.error.code) ?? 0) + 1)
  }
  expect([...codes]).toEqual([
    ['FORBIDDEN', 30],
    ['HOST_REPO_NOT_FOUND', 10],
  ])
  expect(host.calls.slice(before).filter(isAnonymous)).toHaveLength(30)
  service.advance(1 * HOURS)
  expect((await ingest(`${owner}/r39#1`, token)).body.error.code).toBe('FORBIDDEN')
})

test('returns HOST_REPO_NOT_FOUND for a private repository that the host forbids the token to read', async () => {
  service.advance(1 * HOURS)
  const members = ['hanako']
  repositoryOf(service, 'acme/vault', { private: true, members, pulls: [{ number: 1 }] })
  await ingested('acme/vault#1', token)
  Object.assign(host.repositories.at(-1) ?? {}, { forbidsTokens: true, authorizationUrl })
  const first = await ingest('acme/vault#1', token)
  expect([first.status, first.body.error.code, first.body.error.details]).toEqual([
    404,
    'HOST_REPO_NOT_FOUND',
    undefined,
  ])
  expect((await get('acme/vault#1', token)).status).toBe(404)
  const calls = await host.during(() => ingest('acme/vault#1', token))
  expect(calls.to(/vault/)).toBe(2)
})

test.each([
  ['http://host.example.com/sso'],
  ['javascript:alert(1)'],
  ['https://user:secret@host.example.com/sso'],
  [`https://host.example.com/${'x'.repeat(2000)}`],
  ['not a url'],
])('does not return the authorization URL %s', async (address) => {
  repositoryOf(service, 'acme/odd', { forbidsTokens: true, authorizationUrl: address, pulls: [{ number: 1 }] })
  const { body } = await ingest('acme/odd#1', token)
  expect(body.error.details).toEqual({ reason: 'host_forbids_token' })
  host.repositories.pop()
})

test('never logs the authorization URL, which is meant for one user', () => {
  expect(logsOf('authorization_request')).toEqual([])
})

test('if the host forbids a user’s token to read a public repository, asks with that token at most once in five minutes', async () => {
  const { names, repositories } = await forbiddenRepositories(1)
  const [{ id } = { id: 0 }] = repositories
  const { favorite, names: favorites } = favoritesOf(service)
  const follower = await service.signedUp('patient-follower')
  Object.assign(repositories[0] ?? {}, { forbidsTokens: false })
  await favorite(follower, names[0] ?? '')
  Object.assign(repositories[0] ?? {}, { forbidsTokens: true })
  refuseAnonymous()
  const asked = async () => {
    const before = host.calls.length
    expect(await favorites(follower)).toEqual(names)
    const calls = host.calls.slice(before).filter((call) => call.path === `/repositories/${id}`)
    return calls.filter(({ authorization }) => authorization?.includes(follower)).length
  }
  service.advance(6 * MINUTES)
  expect(await asked()).toBe(1)
  expect(await asked()).toBe(0)
  service.advance(4 * MINUTES)
  expect(await asked()).toBe(0)
  service.advance(2 * MINUTES)
  expect(await asked()).toBe(1)
})
