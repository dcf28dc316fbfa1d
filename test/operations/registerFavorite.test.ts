import { afterAll, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import type { Answer } from '../support/client.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const flask = service.host.repository({ id: 596892, owner: 'pallets', name: 'flask' })

test('stores the repository name as the host spells it, and returns the same record again', async () => {
  const token = await service.signedUp('hanako')
  const { body: user } = await service.call('getCurrentUser', { token })
  const first = await service.call('registerFavorite', { token, body: { owner: 'Pallets', repo: 'FLASK' } })
  expect(first.status).toBe(201)
  expect(first.body.data).toMatchObject({
    userId: user.data.id,
    hostRepoId: 596892,
    repositoryFullName: 'pallets/flask',
    owner: 'pallets',
    repo: 'flask',
  })
  const again = await service.call('registerFavorite', { token, body: { owner: 'pallets', repo: 'flask' } })
  expect(again.status).toBe(200)
  expect(again.body.data).toEqual(first.body.data)
})

test('creates one record from 100 concurrent requests', async () => {
  const token = await service.signedUp('crowd')
  const body = { owner: 'pallets', repo: 'flask' }
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => service.call('registerFavorite', { token, body })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(99)
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
})

test('recognizes a renamed repository by its id', async () => {
  const token = await service.signedUp('archivist')
  const moved = service.host.repository({ id: 77, owner: 'old', name: 'name' })
  const first = await service.call('registerFavorite', { token, body: { owner: 'old', repo: 'name' } })
  moved.owner = 'new'
  moved.name = 'shiny'
  service.host.moved('old/name', 77)
  for (const body of [
    { owner: 'old', repo: 'name' },
    { owner: 'new', repo: 'shiny' },
  ]) {
    const again = await service.call('registerFavorite', { token, body })
    expect(again.status).toBe(200)
    expect(again.body.data).toEqual({
      ...first.body.data,
      repositoryFullName: 'new/shiny',
      owner: 'new',
      repo: 'shiny',
      url: `${service.url}/read/repos/new/shiny`,
    })
  }
})

test('returns 404 for a repository that the viewer cannot see', async () => {
  service.host.repository({ id: 88, owner: 'acme', name: 'secret', private: true, members: ['member'] })
  const stranger = await service.signedUp('stranger')
  const hidden = await service.call('registerFavorite', { token: stranger, body: { owner: 'acme', repo: 'secret' } })
  const never = await service.call('registerFavorite', { token: stranger, body: { owner: 'acme', repo: 'nothing' } })
  expect([hidden.status, hidden.body.error.code, hidden.body.message]).toEqual([
    404,
    'HOST_REPO_NOT_FOUND',
    never.body.message,
  ])
  const member = await service.signedUp('member')
  const seen = await service.call('registerFavorite', { token: member, body: { owner: 'acme', repo: 'secret' } })
  expect(seen.status).toBe(201)
})

/** Retries on 503: 100 concurrent requests may overload a slow machine. */
async function registered(token: string, owner: string, repo: string, retries = 20): Promise<Answer> {
  const answer = await service.call('registerFavorite', { token, body: { owner, repo } })
  return answer.status === 503 && retries > 0 ? registered(token, owner, repo, retries - 1) : answer
}

test('allows at most 100 favorites under concurrent requests', async () => {
  const token = await service.signedUp('collector')
  const names = Array.from({ length: 105 }, (_, i) => `repo-${i}`)
  for (const [i, name] of names.entries()) service.host.repository({ id: 1000 + i, owner: 'many', name })
  const answers = await Promise.all(names.map((repo) => registered(token, 'many', repo)))
  // A request that got 503 may still have registered its favorite: then its retry gets 200.
  expect(answers.filter(({ status }) => status === 201 || status === 200)).toHaveLength(100)
  const full = answers.filter(({ status }) => status === 403)
  expect(full).toHaveLength(5)
  expect(full[0]?.body.error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'favorite_limit', limit: 100 } })
  const kept = answers.find(({ status }) => status === 201)?.body.data.repo
  expect((await registered(token, 'many', kept)).status).toBe(200)
})

test('the limit of 100 includes favorites that the current session cannot see', async () => {
  const strong = await service.signedUp('double')
  const weak = service.host.token('double')
  const names = Array.from({ length: 100 }, (_, i) => `d${i}`)
  for (const [i, name] of names.entries())
    service.host.repository({ id: 5000 + i, owner: 'deep', name, private: true, members: ['double'] })
  await Promise.all(names.map((repo) => registered(strong, 'deep', repo)))
  service.host.fail({ path: /^\/repositories\/5\d{3}$/, times: 100, act: faults.status(404) })
  for (let i = 0; i < 5; i++) expect((await service.call('listFavorites', { token: weak })).body.data.data).toEqual([])
  service.host.heal()
  service.host.repository({ id: 5999, owner: 'one', name: 'more' })
  const { status } = await service.call('registerFavorite', { token: weak, body: { owner: 'one', repo: 'more' } })
  expect(status).toBe(403)
})

test.each([
  [{}],
  [{ owner: 'pallets' }],
  [{ owner: 'pallets', repo: 'flask', star: true }],
  [{ owner: 'pallets', repo: 7 }],
  [{ owner: '..', repo: 'user' }],
  [{ owner: 'a/b', repo: 'flask' }],
  [{ owner: 'pallets', repo: '' }],
  [{ owner: 'pallets', repo: 'f'.repeat(101) }],
  [{ owner: 'pallets', repo: 'flask?x=1' }],
])('rejects the body %j without calling the host', async (body) => {
  const token = service.host.token('fussy')
  await service.call('signUp', { token })
  const before = service.host.calls.length
  expect((await service.call('registerFavorite', { token, body })).status).toBe(400)
  expect(service.host.calls.length).toBe(before)
})

test('keeps the favorite when its repository becomes private', async () => {
  const token = await service.signedUp('keeper')
  await service.call('registerFavorite', { token, body: { owner: 'pallets', repo: 'flask' } })
  flask.private = true
  flask.members = ['keeper']
  const again = await service.call('registerFavorite', { token, body: { owner: 'pallets', repo: 'flask' } })
  expect(again.status).toBe(200)
  flask.private = false
})
