import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const MINUTES = 60_000

test('returns the removed favorite, and 404 if it is removed again', async () => {
  service.host.repository({ id: 1, owner: 'pallets', name: 'flask' })
  const token = await service.signedUp('hanako')
  const { body: registered } = await service.call('registerFavorite', {
    token,
    body: { owner: 'pallets', repo: 'flask' },
  })
  const params = { owner: 'PALLETS', repo: 'Flask' }
  const removed = await service.call('removeFavorite', { token, params })
  expect(removed.status).toBe(200)
  expect(removed.body.data).toEqual(registered.data)
  const again = await service.call('removeFavorite', { token, params })
  expect([again.status, again.body.error.code]).toEqual([404, 'NOT_FOUND'])
  expect((await service.call('listFavorites', { token })).body.data.data).toEqual([])
})

test('only one of several concurrent requests removes the favorite', async () => {
  service.host.repository({ id: 2, owner: 'once', name: 'only' })
  const token = await service.signedUp('eager')
  await service.call('registerFavorite', { token, body: { owner: 'once', repo: 'only' } })
  const params = { owner: 'once', repo: 'only' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.call('removeFavorite', { token, params })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
})

test('finds a renamed repository by its new name', async () => {
  const repository = service.host.repository({ id: 3, owner: 'old', name: 'name' })
  const token = await service.signedUp('archivist')
  const { body } = await service.call('registerFavorite', { token, body: { owner: 'old', repo: 'name' } })
  repository.name = 'shiny'
  const removed = await service.call('removeFavorite', { token, params: { owner: 'old', repo: 'shiny' } })
  expect(removed.status).toBe(200)
  expect(removed.body.data).toMatchObject({ id: body.data.id, repo: 'shiny' })
})

test('removes a favorite whose public repository was deleted on the host', async () => {
  const repository = service.host.repository({ id: 4, owner: 'soon', name: 'gone' })
  const token = await service.signedUp('tidy')
  await service.call('registerFavorite', { token, body: { owner: 'soon', repo: 'gone' } })
  service.host.remove(repository)
  const removed = await service.call('removeFavorite', { token, params: { owner: 'soon', repo: 'gone' } })
  expect(removed.status).toBe(200)
})

test('an invisible and a missing favorite cause the same error and the same number of host calls', async () => {
  const vault = service.host.repository({ id: 5, owner: 'acme', name: 'vault', private: true, members: ['member'] })
  const token = await service.signedUp('member')
  await service.call('registerFavorite', { token, body: { owner: 'acme', repo: 'vault' } })
  vault.members = []
  service.advance(6 * MINUTES)
  const cost = async (repo: string) => {
    const before = service.host.calls.length
    const { status, body } = await service.call('removeFavorite', { token, params: { owner: 'acme', repo } })
    return { status, code: body.error.code, message: body.message, calls: service.host.calls.length - before }
  }
  const hidden = await cost('vault')
  expect(hidden).toEqual(await cost('never'))
  expect(hidden).toMatchObject({ status: 404, calls: 1 })
  vault.members = ['member']
  const removed = await service.call('removeFavorite', { token, params: { owner: 'acme', repo: 'vault' } })
  expect(removed.status).toBe(200)
})

test.each([
  ['pallets', 'a b'],
  ['pallets', '...'],
  ['p'.repeat(101), 'flask'],
])('rejects the repository name %s/%s', async (owner, repo) => {
  const token = service.host.token('fussy')
  await service.call('signUp', { token })
  expect((await service.call('removeFavorite', { token, params: { owner, repo } })).status).toBe(400)
})
